/** The subscribers of lists: {@link org.azuremail.subscription.Subscriptions} is the facade for pages and the API. */
@NullMarked
package org.azuremail.subscription;

import org.jspecify.annotations.NullMarked;

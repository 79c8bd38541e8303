/**
 * The people on a list. {@link org.azuremail.subscription.Subscriptions} is what pages and calls ask; each part has a package
 * of its own.
 */
@NullMarked
package org.azuremail.subscription;

import org.jspecify.annotations.NullMarked;

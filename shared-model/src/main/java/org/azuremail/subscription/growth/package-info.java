/** The growth of lists: how many people are subscribed at the end of each day. */
@NullMarked
package org.azuremail.subscription.growth;

import org.jspecify.annotations.NullMarked;

/** The growth of lists: how many are subscribed at the end of each day, counted once a day. */
@NullMarked
package org.azuremail.subscription.growth;

import org.jspecify.annotations.NullMarked;

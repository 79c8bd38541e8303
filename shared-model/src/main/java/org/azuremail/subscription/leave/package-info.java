/** The ways off a list: unsubscribing and erasing. */
@NullMarked
package org.azuremail.subscription.leave;

import org.jspecify.annotations.NullMarked;

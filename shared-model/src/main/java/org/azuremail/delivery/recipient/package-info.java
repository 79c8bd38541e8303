/** The story of one recipient: the outcome of the email, or the reason why a subscriber is not a recipient. */
@NullMarked
package org.azuremail.delivery.recipient;

import org.jspecify.annotations.NullMarked;

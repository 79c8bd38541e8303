/** The story of one recipient: what became of the e-mail, and why a subscriber is not a recipient. */
@NullMarked
package org.azuremail.delivery.recipient;

import org.jspecify.annotations.NullMarked;

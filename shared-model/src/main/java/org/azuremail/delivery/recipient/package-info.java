/** Explains why an address did or did not get a message. */
@NullMarked
package org.azuremail.delivery.recipient;

import org.jspecify.annotations.NullMarked;

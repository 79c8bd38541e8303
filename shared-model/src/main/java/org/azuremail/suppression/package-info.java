/** Suppressed addresses, to which no list may send: they bounced, their owners complained, or an admin decided so. */
@NullMarked
package org.azuremail.suppression;

import org.jspecify.annotations.NullMarked;

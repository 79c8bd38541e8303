/**
 * Records the recipients of a message, claims them and accounts for them. {@code MessageControl} is the facade: what may be
 * done to a message that goes out, and what can be seen of it. Fan-out and sending are built on the packages below.
 */
@NullMarked
package org.azuremail.delivery;

import org.jspecify.annotations.NullMarked;

/**
 * Records the recipients of a message, claims them and accounts for them. {@code MessageControl} is the facade: the actions on
 * a message that goes out, and its progress. Fan-out and sending are built on the packages below.
 */
@NullMarked
package org.azuremail.delivery;

import org.jspecify.annotations.NullMarked;

/**
 * The recipients of a message: {@code MessageControl} is the facade for the actions on a message that is being sent,
 * and for its progress.
 */
@NullMarked
package org.azuremail.delivery;

import org.jspecify.annotations.NullMarked;

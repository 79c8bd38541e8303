/** Reopens messages that have ended: to send them again, to decide unknown outcomes, or after a restore. */
@NullMarked
package org.azuremail.delivery.reopen;

import org.jspecify.annotations.NullMarked;

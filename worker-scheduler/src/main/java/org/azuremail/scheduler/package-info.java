/** Worker A: fan-out, completion and reconciliation of messages. */
@NullMarked
package org.azuremail.scheduler;

import org.jspecify.annotations.NullMarked;

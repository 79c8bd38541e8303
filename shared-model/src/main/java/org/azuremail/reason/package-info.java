/** Why something waits, failed or was refused: codes that are stored and decided by, and their words for people. */
@NullMarked
package org.azuremail.reason;

import org.jspecify.annotations.NullMarked;

/** The reasons why something waits, failed or was refused: codes to store and decide by, and their words for people. */
@NullMarked
package org.azuremail.reason;

import org.jspecify.annotations.NullMarked;

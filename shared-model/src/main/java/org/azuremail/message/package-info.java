/** Messages: their states, their content, their schedule, and where they are stored. */
@NullMarked
package org.azuremail.message;

import org.jspecify.annotations.NullMarked;

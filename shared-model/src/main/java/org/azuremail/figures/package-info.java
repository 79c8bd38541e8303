/** Figures of a message's outcomes beyond their number: reasons, domains and the rate, counted behind the scenes. */
@NullMarked
package org.azuremail.figures;

import org.jspecify.annotations.NullMarked;

/** Summaries of a message's outcomes by reason, domain and time, counted in the background. */
@NullMarked
package org.azuremail.figures;

import org.jspecify.annotations.NullMarked;

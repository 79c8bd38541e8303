/** Counts of each hour of the last 30 days, for plots that survive restarts. */
@NullMarked
package org.azuremail.history;

import org.jspecify.annotations.NullMarked;

/** The only source of time: a wall clock and a monotonic clock, which tests drive by hand. */
@NullMarked
package org.azuremail.time;

import org.jspecify.annotations.NullMarked;

/** The only source of time: a wall clock and a monotonic clock, which tests control. */
@NullMarked
package org.azuremail.time;

import org.jspecify.annotations.NullMarked;

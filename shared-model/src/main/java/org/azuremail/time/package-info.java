/** The one place where time comes from: a wall clock and a monotonic one, both driven by hand in tests. */
@NullMarked
package org.azuremail.time;

import org.jspecify.annotations.NullMarked;

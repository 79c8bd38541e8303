/** The three storage ports in memory: deterministic, with a clock that tests drive by hand, and a hook at every call. */
@NullMarked
package org.azuremail.storage.simulated;

import org.jspecify.annotations.NullMarked;

/** The three storage ports in memory: deterministic, with a driven clock and a hook at every call. */
@NullMarked
package org.azuremail.storage.simulated;

import org.jspecify.annotations.NullMarked;

/**
 * The three storage ports in memory: deterministic, on a clock that is driven by hand, with a hook at every call where
 * tests stop the world.
 */
@NullMarked
package org.azuremail.storage.simulated;

import org.jspecify.annotations.NullMarked;

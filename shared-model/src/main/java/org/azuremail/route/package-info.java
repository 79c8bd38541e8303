/** Picks the transport of a lot: in order, the next if one takes nothing, and none while its breaker is open. */
@NullMarked
package org.azuremail.route;

import org.jspecify.annotations.NullMarked;

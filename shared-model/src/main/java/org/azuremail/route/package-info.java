/** Chooses the transport of a lot: the first in the order that works, and none while its breaker is open. */
@NullMarked
package org.azuremail.route;

import org.jspecify.annotations.NullMarked;

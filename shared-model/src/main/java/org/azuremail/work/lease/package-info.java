/** Leases and locks: the exclusive right to do something for a time, its renewal, and the detection of dead holders. */
@NullMarked
package org.azuremail.work.lease;

import org.jspecify.annotations.NullMarked;

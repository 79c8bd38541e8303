/** Leases and locks: the right to do something alone for a time, its renewal, and holders that are known to be dead. */
@NullMarked
package org.azuremail.work.lease;

import org.jspecify.annotations.NullMarked;

/** The right to do something now: leases, locks, their renewal, and holders that are known to be gone. */
@NullMarked
package org.azuremail.work.lease;

import org.jspecify.annotations.NullMarked;

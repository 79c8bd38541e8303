/** The worker runtime: typed queue services, scheduled services, leases, dead letters, wake-up signals. */
@NullMarked
package org.azuremail.work;

import org.jspecify.annotations.NullMarked;

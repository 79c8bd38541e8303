/** Runs scheduled services: in one process at a time, under a lease, or in a process that is alone. */
@NullMarked
package org.azuremail.work.schedule;

import org.jspecify.annotations.NullMarked;

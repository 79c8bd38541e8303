/** Runs scheduled services, either in one process at a time under a lease, or in a process that is the only one. */
@NullMarked
package org.azuremail.work.schedule;

import org.jspecify.annotations.NullMarked;

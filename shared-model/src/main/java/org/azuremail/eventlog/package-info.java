/** The event log: warnings and errors of all processes, each a blob named by its time. */
@NullMarked
package org.azuremail.eventlog;

import org.jspecify.annotations.NullMarked;

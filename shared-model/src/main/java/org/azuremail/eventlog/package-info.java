/** The failures of all processes, where an admin can read them: each entry a blob that is named by its time. */
@NullMarked
package org.azuremail.eventlog;

import org.jspecify.annotations.NullMarked;

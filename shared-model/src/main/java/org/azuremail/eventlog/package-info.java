/** What went wrong, in any process, where an admin can read it: each entry a blob that is named by its time. */
@NullMarked
package org.azuremail.eventlog;

import org.jspecify.annotations.NullMarked;

/** The page of warnings and errors. */
@NullMarked
package org.azuremail.web.eventlog;

import org.jspecify.annotations.NullMarked;

/** The page of what went wrong. */
@NullMarked
package org.azuremail.web.eventlog;

import org.jspecify.annotations.NullMarked;

/** The page of work that failed for good. */
@NullMarked
package org.azuremail.web.deadletter;

import org.jspecify.annotations.NullMarked;

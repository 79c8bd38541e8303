/** The page of work that failed permanently. */
@NullMarked
package org.azuremail.web.deadletter;

import org.jspecify.annotations.NullMarked;

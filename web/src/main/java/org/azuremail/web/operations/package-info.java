/** The page of who looks after the service: what waits, who works, what the storage is asked and what that costs. */
@NullMarked
package org.azuremail.web.operations;

import org.jspecify.annotations.NullMarked;

/** Calls of the REST API that create something once, however often they are repeated. */
@NullMarked
package org.azuremail.web.idempotency;

import org.jspecify.annotations.NullMarked;

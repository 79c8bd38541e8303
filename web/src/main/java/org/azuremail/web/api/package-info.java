/**
 * The REST API: JSON, cursors, and problem details (RFC 9457) for refused calls; {@link org.azuremail.web.security}
 * decides which key may make which call.
 */
@NullMarked
package org.azuremail.web.api;

import org.jspecify.annotations.NullMarked;

/**
 * The REST API for programs: JSON, cursors, and problem details (RFC 9457) for everything that is refused. Who may call
 * what stands in {@link org.azuremail.web.security}.
 */
@NullMarked
package org.azuremail.web.api;

import org.jspecify.annotations.NullMarked;

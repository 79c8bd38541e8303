/**
 * The REST API for programs: JSON, cursors, and problem details (RFC 9457) for everything that is refused. {@link
 * org.azuremail.web.security} decides who may call what.
 */
@NullMarked
package org.azuremail.web.api;

import org.jspecify.annotations.NullMarked;

/** Decides which request may do what: the filter chains, the session cookie's context, bearer keys, security headers. */
@NullMarked
package org.azuremail.web.security;

import org.jspecify.annotations.NullMarked;

/**
 * Decides which requests are allowed: filter chains, sessions, API keys, networks, limits of bodies, security headers.
 */
@NullMarked
package org.azuremail.web.security;

import org.jspecify.annotations.NullMarked;

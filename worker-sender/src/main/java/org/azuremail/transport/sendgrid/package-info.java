/**
 * The transport for SendGrid's Web API v3: one request for each lot, through sendgrid-java over a connection pool of
 * this service.
 */
@NullMarked
package org.azuremail.transport.sendgrid;

import org.jspecify.annotations.NullMarked;

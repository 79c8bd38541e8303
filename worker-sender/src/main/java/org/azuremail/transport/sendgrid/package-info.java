/** The transport for SendGrid's Web API v3: one request for each lot, through sendgrid-java over our own connection pool. */
@NullMarked
package org.azuremail.transport.sendgrid;

import org.jspecify.annotations.NullMarked;

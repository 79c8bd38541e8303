/** Mail by SendGrid's Web API v3: one request a lot, through sendgrid-java over a connection pool of ours. */
@NullMarked
package org.azuremail.transport.sendgrid;

import org.jspecify.annotations.NullMarked;

/** The transport for SMTP, in our own implementation: pooled connections that carry several emails, with pipelining. */
@NullMarked
package org.azuremail.transport.smtp;

import org.jspecify.annotations.NullMarked;

/**
 * The transport for SMTP, implemented by this project: pooled connections that carry several emails, with pipelining.
 */
@NullMarked
package org.azuremail.transport.smtp;

import org.jspecify.annotations.NullMarked;

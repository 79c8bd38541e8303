/** Mail by SMTP, through Jakarta Mail: pooled connections, several mails each, ready bytes. */
@NullMarked
package org.azuremail.transport.smtp;

import org.jspecify.annotations.NullMarked;

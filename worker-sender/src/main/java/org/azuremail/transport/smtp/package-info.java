/**
 * Mail by SMTP, in a conversation of our own: pooled connections that carry several mails each, and several commands in one
 * piece if the server allows it.
 */
@NullMarked
package org.azuremail.transport.smtp;

import org.jspecify.annotations.NullMarked;

/**
 * Mail by SMTP, in a conversation of our own: pooled connections, several mails each, and several commands in one piece
 * where the server takes them so.
 */
@NullMarked
package org.azuremail.transport.smtp;

import org.jspecify.annotations.NullMarked;

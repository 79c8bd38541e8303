/** Chooses who takes the mail: the outbox, an SMTP server or SendGrid. */
@NullMarked
package org.azuremail.transport;

import org.jspecify.annotations.NullMarked;

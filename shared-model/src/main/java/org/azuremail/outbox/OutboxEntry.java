package org.azuremail.outbox;

import java.time.Instant;
import org.azuremail.mail.Mailbox;

/**
 * A line of the outbox.
 *
 * @param id names the mail; is in a URL as it is
 * @param sentAt when it was handed over
 * @param subject as the recipient reads it
 */
public record OutboxEntry(String id, Instant sentAt, Mailbox from, Mailbox to, String subject) {}

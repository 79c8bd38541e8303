package org.azuremail.outbox;

import org.azuremail.mail.Mailbox;
import org.azuremail.mail.MergedMail;
import org.jspecify.annotations.Nullable;

/**
 * One mail of the outbox, whole.
 *
 * @param messageId without angle brackets
 * @param merged subject, bodies and the further headers as the recipient reads them
 * @param raw the bytes that a server would have been given: an {@code .eml} file
 */
public record OutboxMail(
        OutboxEntry entry, @Nullable Mailbox replyTo, String messageId, MergedMail merged, byte[] raw) {}

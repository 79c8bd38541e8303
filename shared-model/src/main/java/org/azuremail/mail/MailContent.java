package org.azuremail.mail;

import java.util.List;
import java.util.Map;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.mail.mime.EncodedWords;
import org.jspecify.annotations.Nullable;

/**
 * The content that all emails of a lot share. It is created once for each revision of a message, then merged for each
 * recipient.
 *
 * @param id the id of this content; equal ids mean equal content, so transports may cache by it
 * @param headers List-Id, List-Unsubscribe and others, in order
 */
public record MailContent(
        String id,
        Mailbox from,
        @Nullable Mailbox replyTo,
        Template subject,
        Template html,
        Template text,
        List<MailHeader> headers) {

    /** The longest merged subject, in characters; longer ones are cut. */
    private static final int MAX_SUBJECT_LENGTH = 998;

    public MailContent {
        headers = List.copyOf(headers);
    }

    /** Returns a copy with another id, since it has other content. */
    public MailContent with(String otherId, Template otherSubject, List<MailHeader> otherHeaders) {
        return new MailContent(otherId, from, replyTo, otherSubject, html, text, otherHeaders);
    }

    /** Returns the subject for one recipient, as one line. */
    public String subject(Map<String, String> fields) {
        String merged = subject.merge(fields, Escaping.ONE_LINE);
        if (merged.length() <= MAX_SUBJECT_LENGTH) {
            return merged;
        }
        boolean half = Character.isHighSurrogate(merged.charAt(MAX_SUBJECT_LENGTH - 1));
        return merged.substring(0, half ? MAX_SUBJECT_LENGTH - 1 : MAX_SUBJECT_LENGTH);
    }

    /**
     * A header besides From, To, Subject, Date and Message-ID. Its value is merged for each recipient into one line. It
     * is sent unchanged, so it must be ASCII; {@link EncodedWords} converts any text.
     */
    public record MailHeader(String name, Template value) {}
}

package org.azuremail.mail;

import java.util.List;
import java.util.Map;
import org.azuremail.content.Escaping;
import org.azuremail.content.Template;
import org.azuremail.mail.mime.EncodedWords;
import org.jspecify.annotations.Nullable;

/**
 * The content that all emails of a lot share. Made once for a message and revision, then merged for each recipient.
 *
 * @param id names this content: equal ids mean equal content, so that transports may keep what they made of it
 * @param headers List-Id, List-Unsubscribe and so on, in order
 */
public record MailContent(
        String id,
        Mailbox from,
        @Nullable Mailbox replyTo,
        Template subject,
        Template html,
        Template text,
        List<MailHeader> headers) {

    /** The longest merged subject, in characters; what is longer is cut. */
    private static final int LONGEST_SUBJECT = 998;

    public MailContent {
        headers = List.copyOf(headers);
    }

    /** The subject for one recipient, as one line. */
    public String subject(Map<String, String> fields) {
        String merged = subject.merge(fields, Escaping.ONE_LINE);
        if (merged.length() <= LONGEST_SUBJECT) {
            return merged;
        }
        boolean half = Character.isHighSurrogate(merged.charAt(LONGEST_SUBJECT - 1));
        return merged.substring(0, half ? LONGEST_SUBJECT - 1 : LONGEST_SUBJECT);
    }

    /**
     * A header beyond From, To, Subject, Date and Message-ID; its value is merged for each recipient like the bodies, on one
     * line. It goes out as it is, so it is ASCII: {@link EncodedWords} makes it of any text.
     */
    public record MailHeader(String name, Template value) {}
}

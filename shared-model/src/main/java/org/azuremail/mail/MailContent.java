package org.azuremail.mail;

import java.util.List;
import org.azuremail.content.Template;
import org.jspecify.annotations.Nullable;

/**
 * What all mails of a lot share. Made once for a message and revision, then merged for each recipient.
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

    public MailContent {
        headers = List.copyOf(headers);
    }
}

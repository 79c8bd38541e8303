package org.azuremail.mail;

import java.util.List;
import org.azuremail.content.Escaping;

/**
 * An email as its recipient reads it, for previews and the outbox.
 *
 * @param headers the headers besides From, To, Subject, Date and Message-ID
 */
public record MergedMail(String subject, String html, String text, List<Header> headers) {

    /** A header with its merged value, as it is sent. */
    public record Header(String name, String value) {}

    public MergedMail {
        headers = List.copyOf(headers);
    }

    public static MergedMail of(MailContent content, Mail mail) {
        return new MergedMail(
                content.subject(mail.fields()),
                content.html().merge(mail.fields(), Escaping.HTML),
                content.text().merge(mail.fields(), Escaping.NONE),
                content.headers().stream()
                        .map(header ->
                                new Header(header.name(), header.value().merge(mail.fields(), Escaping.ONE_LINE)))
                        .toList());
    }
}

package org.azuremail.mail;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import org.azuremail.content.Escaping;

/**
 * A content as the bytes of a mail: made once, then merged for each recipient at the cost of copying. Equal content, mail
 * and date give equal bytes. Immutable.
 *
 * <p>The mail is {@code multipart/alternative}, text first, both parts in UTF-8 as quoted-printable: pure ASCII with
 * lines of at most 76 characters in the bodies, so every server takes it unchanged.
 */
public final class MimeTemplate {

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.US).withZone(ZoneOffset.UTC);

    private static final int HEADERS = 2048;

    private final MailContent content;
    private final MimePart text;
    private final MimePart html;
    private final String boundary;

    public MimeTemplate(MailContent content) {
        this.content = content;
        this.text = new MimePart(content.text(), Escaping.NONE);
        this.html = new MimePart(content.html(), Escaping.HTML);
        // "=_" cannot stand in quoted-printable: no body ever holds the boundary.
        this.boundary = "=_azuremail_" + Integer.toHexString(content.id().hashCode());
    }

    public MailContent content() {
        return content;
    }

    /**
     * The mail's bytes, lines ended by CR LF.
     *
     * @param date when it is handed over
     */
    public byte[] merge(Mail mail, Instant date) {
        ByteBuilder out = new ByteBuilder(text.size() + html.size() + HEADERS);
        headers(out, mail, date);
        part(out, "text/plain", text, mail.fields());
        part(out, "text/html", html, mail.fields());
        out.append("\r\n--" + boundary + "--\r\n");
        return out.bytes();
    }

    private void headers(ByteBuilder out, Mail mail, Instant date) {
        HeaderLine.append(out, "Date", DATE.format(date));
        HeaderLine.append(out, "From", written(content.from()));
        Mailbox replyTo = content.replyTo();
        if (replyTo != null) {
            HeaderLine.append(out, "Reply-To", written(replyTo));
        }
        HeaderLine.append(out, "To", written(mail.to()));
        HeaderLine.append(out, "Subject", EncodedWords.text(content.subject().merge(mail.fields(), Escaping.ONE_LINE)));
        HeaderLine.append(out, "Message-ID", "<" + mail.messageId() + ">");
        for (MailHeader header : content.headers()) {
            HeaderLine.append(out, header.name(), header.value().merge(mail.fields(), Escaping.ONE_LINE));
        }
        out.append("MIME-Version: 1.0\r\nContent-Type: multipart/alternative;\r\n boundary=\"" + boundary + "\"\r\n");
    }

    private static String written(Mailbox mailbox) {
        return mailbox.name().isBlank()
                ? mailbox.address().value()
                : EncodedWords.phrase(mailbox.name()) + " <" + mailbox.address() + ">";
    }

    private void part(ByteBuilder out, String type, MimePart part, Map<String, String> values) {
        out.append("\r\n--" + boundary + "\r\nContent-Type: " + type
                + "; charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n");
        part.merge(out, values);
    }
}

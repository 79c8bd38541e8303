package org.azuremail.mail.mime;

import org.azuremail.mail.mime.HeaderTemplate.HeaderLine;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.azuremail.content.Escaping;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.Mailbox;

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
    private final List<HeaderTemplate> headers;
    private final MimePart text;
    private final MimePart html;

    /** The lines that are the same for everybody: the sender, and those around the parts. */
    private final byte[] sender;

    private final byte[] beforeText;
    private final byte[] beforeHtml;
    private final byte[] end;

    public MimeTemplate(MailContent content) {
        this.content = content;
        this.headers = content.headers().stream().map(HeaderTemplate::new).toList();
        this.text = new MimePart(content.text(), Escaping.NONE);
        this.html = new MimePart(content.html(), Escaping.HTML);
        // "=_" cannot be in quoted-printable: no body ever holds the boundary.
        String boundary = "=_azuremail_" + Integer.toHexString(content.id().hashCode());
        this.sender = sender(content);
        this.beforeText = new ByteBuilder(HEADERS)
                .append("MIME-Version: 1.0\r\nContent-Type: multipart/alternative;\r\n boundary=\"" + boundary
                        + "\"\r\n")
                .append(partBegins(boundary, "text/plain"))
                .bytes();
        this.beforeHtml = new ByteBuilder(HEADERS)
                .append(partBegins(boundary, "text/html"))
                .bytes();
        this.end =
                new ByteBuilder(HEADERS).append("\r\n--" + boundary + "--\r\n").bytes();
    }

    private static byte[] sender(MailContent content) {
        ByteBuilder lines = new ByteBuilder(HEADERS);
        HeaderLine.append(lines, "From", written(content.from()));
        Mailbox replyTo = content.replyTo();
        if (replyTo != null) {
            HeaderLine.append(lines, "Reply-To", written(replyTo));
        }
        return lines.bytes();
    }

    private static String partBegins(String boundary, String type) {
        return "\r\n--" + boundary + "\r\nContent-Type: " + type
                + "; charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n";
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
        return merge(mail, date(date));
    }

    /** A date as {@link #merge(Mail, String)} takes it: made once for all mails that leave together. */
    public static String date(Instant date) {
        return DATE.format(date);
    }

    /** @param date of {@link #date} */
    public byte[] merge(Mail mail, String date) {
        ByteBuilder out = new ByteBuilder(text.size() + html.size() + HEADERS);
        headers(out, mail, date);
        out.append(beforeText);
        text.merge(out, mail.fields());
        out.append(beforeHtml);
        html.merge(out, mail.fields());
        out.append(end);
        return out.bytes();
    }

    private void headers(ByteBuilder out, Mail mail, String date) {
        HeaderLine.append(out, "Date", date);
        out.append(sender);
        HeaderLine.append(out, "To", written(mail.to()));
        HeaderLine.append(out, "Subject", EncodedWords.text(content.subject(mail.fields())));
        HeaderLine.append(out, "Message-ID", "<" + mail.messageId() + ">");
        headers.forEach(header -> header.merge(out, mail.fields()));
    }

    private static String written(Mailbox mailbox) {
        return mailbox.name().isBlank()
                ? mailbox.address().value()
                : EncodedWords.phrase(mailbox.name()) + " <" + mailbox.address() + ">";
    }
}

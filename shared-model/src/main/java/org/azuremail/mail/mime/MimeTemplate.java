package org.azuremail.mail.mime;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.azuremail.content.Escaping;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailContent.MailHeader;
import org.azuremail.mail.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * A content as the bytes of an email. It is encoded once; merging it for a recipient costs little more than copying.
 * Equal content, email and date give equal bytes. Immutable.
 *
 * <p>The email is {@code multipart/alternative} with the text first. Both parts are UTF-8 in quoted-printable: pure
 * ASCII with lines of at most 76 characters, which every server transmits unchanged.
 */
public final class MimeTemplate {

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss Z", Locale.US).withZone(ZoneOffset.UTC);

    private static final int HEADERS = 2048;

    private final MailContent content;
    private final List<Line> headers;
    private final MimePart text;
    private final MimePart html;

    /** The header lines of the sender, which are the same for every recipient, as are the lines around the parts. */
    private final String sender;

    private final String beforeText;
    private final String beforeHtml;
    private final String end;

    public MimeTemplate(MailContent content) {
        this.content = content;
        this.headers = content.headers().stream().map(Line::of).toList();
        this.text = new MimePart(content.text(), Escaping.NONE);
        this.html = new MimePart(content.html(), Escaping.HTML);
        // Quoted-printable never contains "=_", so no body contains the boundary.
        String boundary = "=_azuremail_" + Integer.toHexString(content.id().hashCode());
        this.sender = sender(content);
        this.beforeText = "MIME-Version: 1.0\r\nContent-Type: multipart/alternative;\r\n boundary=\"" + boundary
                + "\"\r\n" + partBegins(boundary, "text/plain");
        this.beforeHtml = partBegins(boundary, "text/html");
        this.end = "\r\n--" + boundary + "--\r\n";
    }

    /** A header with places for values. Most have none and are encoded once. */
    private record Line(MailHeader header, @Nullable String same) {

        static Line of(MailHeader header) {
            boolean fixed = header.value().fieldNames().isEmpty();
            return new Line(header, fixed ? merged(header, Map.of()) : null);
        }

        String merged(Map<String, String> values) {
            return same == null ? merged(header, values) : same;
        }

        private static String merged(MailHeader header, Map<String, String> values) {
            return HeaderLine.of(header.name(), header.value().merge(values, Escaping.ONE_LINE));
        }
    }

    /** Leaves out a Reply-To outside ASCII unless From needs SMTPUTF8, too: other servers may refuse such a line. */
    private static String sender(MailContent content) {
        String from = HeaderLine.of("From", written(content.from()));
        Mailbox replyTo = content.replyTo();
        if (replyTo == null) {
            return from;
        }
        boolean allowed =
                !replyTo.address().needsSmtpUtf8() || content.from().address().needsSmtpUtf8();
        return allowed ? from + HeaderLine.of("Reply-To", written(replyTo)) : from;
    }

    private static String partBegins(String boundary, String type) {
        return "\r\n--" + boundary + "\r\nContent-Type: " + type
                + "; charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n";
    }

    public MailContent content() {
        return content;
    }

    /**
     * Returns the bytes of an email, with lines that end with CR LF.
     *
     * @param date when the email is handed over
     */
    public byte[] merge(Mail mail, Instant date) {
        return merge(mail, date(date));
    }

    /** Returns a date for {@link #merge(Mail, String)}, to be shared by all emails that are sent together. */
    public static String date(Instant date) {
        return DATE.format(date);
    }

    /** @param date a text from {@link #date} */
    public byte[] merge(Mail mail, String date) {
        StringBuilder out = new StringBuilder(text.size() + html.size() + HEADERS);
        headers(out, mail, date);
        out.append(beforeText);
        text.merge(out, mail.fields());
        out.append(beforeHtml);
        html.merge(out, mail.fields());
        return out.append(end).toString().getBytes(StandardCharsets.UTF_8);
    }

    private void headers(StringBuilder out, Mail mail, String date) {
        out.append(HeaderLine.of("Date", date))
                .append(sender)
                .append(HeaderLine.of("To", written(mail.to())))
                .append(HeaderLine.of("Subject", EncodedWords.text(content.subject(mail.fields()))))
                .append(HeaderLine.of("Message-ID", "<" + mail.messageId() + ">"));
        headers.forEach(header -> out.append(header.merged(mail.fields())));
    }

    private static String written(Mailbox mailbox) {
        return mailbox.name().isBlank()
                ? mailbox.address().value()
                : EncodedWords.phrase(mailbox.name()) + " <" + mailbox.address() + ">";
    }
}

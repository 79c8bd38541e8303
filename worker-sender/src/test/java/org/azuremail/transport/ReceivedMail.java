package org.azuremail.transport;

import jakarta.mail.Header;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.internet.MimeUtility;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.jspecify.annotations.Nullable;

/**
 * An email as its recipient's program reads it.
 *
 * @param parts bodies by media type, in their order
 * @param headers decoded, by name regardless of case
 */
public record ReceivedMail(
        Mailbox from,
        @Nullable Mailbox replyTo,
        Mailbox to,
        String subject,
        Map<String, String> parts,
        Map<String, String> headers) {

    /** Reads a MIME message; it must be {@code multipart/alternative}. */
    public static ReceivedMail of(byte[] bytes) {
        try {
            MimeMessage message = new MimeMessage(null, new ByteArrayInputStream(bytes));
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (Header header : Collections.list(message.getAllHeaders())) {
                headers.put(header.getName(), MimeUtility.decodeText(MimeUtility.unfold(header.getValue())));
            }
            return new ReceivedMail(
                    mailbox((InternetAddress) message.getFrom()[0]),
                    headers.containsKey("Reply-To") ? mailbox((InternetAddress) message.getReplyTo()[0]) : null,
                    mailbox((InternetAddress) message.getAllRecipients()[0]),
                    message.getSubject(),
                    parts((MimeMultipart) message.getContent()),
                    headers);
        } catch (MessagingException e) {
            throw new AssertionError("no readable mail", e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, String> parts(MimeMultipart content) throws MessagingException, IOException {
        if (!content.getContentType().startsWith("multipart/alternative")) {
            throw new AssertionError("not multipart/alternative: " + content.getContentType());
        }
        Map<String, String> parts = new LinkedHashMap<>();
        for (int i = 0; i < content.getCount(); i++) {
            String type = content.getBodyPart(i).getContentType();
            if (!type.endsWith("charset=UTF-8")) {
                throw new AssertionError("not UTF-8: " + type);
            }
            parts.put(
                    type.substring(0, type.indexOf(';')),
                    content.getBodyPart(i).getContent().toString().replace("\r\n", "\n"));
        }
        return parts;
    }

    private static Mailbox mailbox(InternetAddress address) {
        String name = address.getPersonal();
        return new Mailbox(new EmailAddress(address.getAddress()), name == null ? "" : name);
    }

    public String text() {
        return parts.getOrDefault("text/plain", "");
    }

    public String html() {
        return parts.getOrDefault("text/html", "");
    }

    public List<String> types() {
        return List.copyOf(parts.keySet());
    }
}

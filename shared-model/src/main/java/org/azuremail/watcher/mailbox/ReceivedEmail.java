package org.azuremail.watcher.mailbox;

import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeUtility;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.content.HtmlText;
import org.azuremail.delivery.testmail.ForwardedReply;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.InboundMailParser;
import org.azuremail.reason.Reason;

/** An email that arrived in a mailbox. Malformed parts are left out; reading it never throws. */
final class ReceivedEmail {

    private static final int DEEPEST = 6;
    private static final int MAX_PARTS = 50;
    private static final int MAX_TEXT = 200_000;

    /** The longest text of all headers of one name together, because a long conversation names many Message-IDs. */
    static final int MAX_HEADER_LENGTH = 10_000;

    /**
     * The longest address that is parsed, because the mail library needs time that grows with the square of its length.
     */
    static final int MAX_PARSED_LENGTH = 2_000;

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:\\[\\]-]{1,255}");

    /** Blanks, a byte order mark and fillers, which mail programs write before the text or in an empty line. */
    private static final Pattern INVISIBLE_START = Pattern.compile("^[\\p{Z}\\p{C}\\x{34F}]+");

    private final MimeMessage message;
    private final String from;
    private final Optional<InternetAddress> sender;
    private final List<String> attachments = new ArrayList<>();
    private String text = "";
    private int parts;

    private ReceivedEmail(MimeMessage message) {
        this.message = message;
        from = Reason.truncate(headers("From"), MAX_PARSED_LENGTH);
        sender = sender(from);
        collect(message, 0);
    }

    /** Parses an email; empty if it cannot be parsed. */
    static Optional<ReceivedEmail> parse(byte[] raw) {
        try {
            return Optional.of(new ReceivedEmail(InboundMailParser.parse(raw)));
        } catch (MessagingException | RuntimeException odd) {
            return Optional.empty();
        }
    }

    /** Collects the text of a part. A part that cannot be decoded is read as it was transferred. */
    private void collect(Part part, int depth) {
        if (++parts > MAX_PARTS || depth > DEEPEST) {
            return;
        }
        try {
            take(part, depth);
        } catch (MessagingException | IOException | RuntimeException odd) {
            text = text.isBlank() ? InboundMailParser.raw(part, MAX_TEXT) : text;
        }
    }

    private void take(Part part, int depth) throws MessagingException, IOException {
        if (part.isMimeType("multipart/*") && part.getContent() instanceof Multipart several) {
            for (int i = 0; i < Math.min(several.getCount(), MAX_PARTS); i++) {
                collect(several.getBodyPart(i), depth + 1);
            }
        } else if (Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition()) || !part.isMimeType("text/*")) {
            String name = part.getFileName();
            attachments.add(line(name == null ? part.getContentType() : name));
        } else if (text.isBlank()) {
            String read = InboundMailParser.text(part, MAX_TEXT);
            text = part.isMimeType("text/html") ? HtmlText.of(read) : read;
        }
    }

    /** Returns the hosts of the installations that forwarded the email. */
    List<String> forwarders() {
        return Stream.of(headers(ForwardedReply.LOOP).split("[,\\s]+"))
                .filter(host -> HOST.matcher(host).matches())
                .toList();
    }

    /** Returns all values of these headers, up to the length limit. */
    String headers(String... names) {
        return Stream.of(names)
                .map(this::header)
                .filter(value -> !value.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    private String header(String name) {
        try {
            return Reason.truncate(Objects.requireNonNullElse(message.getHeader(name, "\n"), ""), MAX_HEADER_LENGTH);
        } catch (MessagingException odd) {
            return "";
        }
    }

    /** Returns the address that the email claims as its sender. */
    Optional<EmailAddress> from() {
        return sender.flatMap(one -> EmailAddress.parse(one.getAddress()));
    }

    /** Returns the sender's name, or the whole header if it contains no address. */
    String fromName() {
        String name = sender.map(InternetAddress::getPersonal).orElse("");
        return line(from().isEmpty() ? from : name);
    }

    private static Optional<InternetAddress> sender(String header) {
        try {
            InternetAddress[] senders = InternetAddress.parseHeader(header, false);
            return senders.length == 0 || senders[0].getAddress() == null ? Optional.empty() : Optional.of(senders[0]);
        } catch (MessagingException | RuntimeException odd) {
            return Optional.empty();
        }
    }

    String subject() {
        String written = Reason.truncate(headers("Subject"), MAX_PARSED_LENGTH);
        try {
            return line(MimeUtility.decodeText(written.replaceAll("\\s+", " ")));
        } catch (IOException odd) {
            return line(written);
        }
    }

    String text() {
        return text;
    }

    /** Returns the first line that the sender wrote, skipping quoted lines. */
    String firstLine() {
        return text.lines()
                .map(line -> INVISIBLE_START.matcher(line).replaceFirst("").strip())
                .filter(line -> !line.isEmpty() && !line.startsWith(">") && !line.startsWith("|"))
                .findFirst()
                .orElse("");
    }

    List<String> attachments() {
        return attachments;
    }

    private static String line(String some) {
        return some.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }

    /** Returns whether this is a report of a mail server, regardless of its recipient. */
    boolean isReport() {
        return headers("Content-Type").toLowerCase(Locale.ROOT).startsWith("multipart/report")
                || headers("Return-Path").strip().equals("<>");
    }

    /** Returns whether this is an absence note or another automatic answer (RFC 3834, and its predecessors). */
    boolean autoReply() {
        String submitted = headers("Auto-Submitted").strip().toLowerCase(Locale.ROOT);
        return isReport()
                || submitted.startsWith("auto-replied")
                || !headers("X-Autoreply", "X-Autorespond", "X-Auto-Response").isEmpty()
                || headers("Precedence").strip().equalsIgnoreCase("auto_reply");
    }

    /** Returns whether no person wrote the email, or it is from a list. */
    boolean automatic() {
        String submitted = headers("Auto-Submitted").strip().toLowerCase(Locale.ROOT);
        String precedence = headers("Precedence").strip().toLowerCase(Locale.ROOT);
        return autoReply()
                || !(submitted.isEmpty() || submitted.equals("no"))
                || precedence.matches("bulk|junk|list")
                || !headers("List-Id", "Feedback-ID").isEmpty();
    }
}

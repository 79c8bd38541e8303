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
import org.azuremail.mail.ForeignMail;
import org.azuremail.reason.Reason;

/** An email that somebody wrote to us. Its odd parts are left out; reading it never throws. */
final class Letter {

    private static final int DEEPEST = 6;
    private static final int MOST_PARTS = 50;
    private static final int MOST_TEXT = 200_000;

    /** Of all headers of one name: a long conversation names many Message-IDs. */
    static final int LONGEST_HEADER = 10_000;

    /** The mail library takes a time that grows with the square of an address. */
    static final int LONGEST_PARSED = 2_000;

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:\\[\\]-]{1,255}");

    private final MimeMessage message;
    private final String from;
    private final Optional<InternetAddress> sender;
    private final List<String> attachments = new ArrayList<>();
    private String text = "";
    private int parts;

    private Letter(MimeMessage message) {
        this.message = message;
        from = Reason.cut(headers("From"), LONGEST_PARSED);
        sender = sender(from);
        collect(message, 0);
    }

    /** Empty where nobody can read it. */
    static Optional<Letter> parse(byte[] raw) {
        try {
            return Optional.of(new Letter(ForeignMail.parse(raw)));
        } catch (MessagingException | RuntimeException odd) {
            return Optional.empty();
        }
    }

    /** A part that nobody can take apart is read as it was transferred. */
    private void collect(Part part, int depth) {
        if (++parts > MOST_PARTS || depth > DEEPEST) {
            return;
        }
        try {
            take(part, depth);
        } catch (MessagingException | IOException | RuntimeException odd) {
            text = text.isBlank() ? ForeignMail.raw(part, MOST_TEXT) : text;
        }
    }

    private void take(Part part, int depth) throws MessagingException, IOException {
        if (part.isMimeType("multipart/*") && part.getContent() instanceof Multipart several) {
            for (int i = 0; i < Math.min(several.getCount(), MOST_PARTS); i++) {
                collect(several.getBodyPart(i), depth + 1);
            }
        } else if (Part.ATTACHMENT.equalsIgnoreCase(part.getDisposition()) || !part.isMimeType("text/*")) {
            String name = part.getFileName();
            attachments.add(line(name == null ? part.getContentType() : name));
        } else if (text.isBlank()) {
            String read = ForeignMail.text(part, MOST_TEXT);
            text = part.isMimeType("text/html") ? HtmlText.of(read) : read;
        }
    }

    /** The hosts of the installations that forwarded it. */
    List<String> forwarders() {
        return Stream.of(headers(ForwardedReply.LOOP).split("[,\\s]+"))
                .filter(host -> HOST.matcher(host).matches())
                .toList();
    }

    /** All values of these headers, as far as they are read. */
    String headers(String... names) {
        return Stream.of(names)
                .map(this::header)
                .filter(value -> !value.isEmpty())
                .collect(Collectors.joining("\n"));
    }

    private String header(String name) {
        try {
            return Reason.cut(Objects.requireNonNullElse(message.getHeader(name, "\n"), ""), LONGEST_HEADER);
        } catch (MessagingException odd) {
            return "";
        }
    }

    /** The sender, as far as that can be believed. */
    Optional<EmailAddress> from() {
        return sender.flatMap(one -> EmailAddress.parse(one.getAddress()));
    }

    /** The sender's name; the whole header where it names no address. */
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
        String written = Reason.cut(headers("Subject"), LONGEST_PARSED);
        try {
            return line(MimeUtility.decodeText(written.replaceAll("\\s+", " ")));
        } catch (IOException odd) {
            return line(written);
        }
    }

    String text() {
        return text;
    }

    /** The first line that the writer wrote: not a quoted one. */
    String firstLine() {
        return text.lines()
                .map(String::strip)
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

    /** A report of a mail server, whomever it is sent to. */
    boolean report() {
        return headers("Content-Type").toLowerCase(Locale.ROOT).startsWith("multipart/report")
                || headers("Return-Path").strip().equals("<>");
    }

    /** Somebody's absence note and the like: an answer that no person wrote (RFC 3834, and what was used before it). */
    boolean autoReply() {
        String submitted = headers("Auto-Submitted").strip().toLowerCase(Locale.ROOT);
        return report()
                || submitted.startsWith("auto-replied")
                || !headers("X-Autoreply", "X-Autorespond", "X-Auto-Response").isEmpty()
                || headers("Precedence").strip().equalsIgnoreCase("auto_reply");
    }

    /** No person wrote it, or it is from a list. */
    boolean automatic() {
        String submitted = headers("Auto-Submitted").strip().toLowerCase(Locale.ROOT);
        String precedence = headers("Precedence").strip().toLowerCase(Locale.ROOT);
        return autoReply()
                || !(submitted.isEmpty() || submitted.equals("no"))
                || precedence.matches("bulk|junk|list")
                || !headers("List-Id", "Feedback-ID").isEmpty();
    }
}

package org.azuremail.feedback;

import jakarta.mail.Header;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.azuremail.content.HtmlText;
import org.azuremail.delivery.range.Feedback.Kind;
import org.azuremail.feedback.BounceProcessor.BounceReport;
import org.azuremail.mail.InboundMailParser;
import org.jspecify.annotations.Nullable;

/**
 * Reads the reports of mail servers about emails that they could not deliver or that a reader complained about:
 * delivery reports (RFC 3464), abuse reports (RFC 5965), and letters in a server's own words. It reads
 * {@value #MAX_PARTS} parts of a message and {@value #MAX_OF_A_PART} bytes of a part. A message that it does not
 * understand has no kind and never causes an exception.
 */
final class BounceParser {

    private static final int MAX_PARTS = 50;
    private static final int MAX_OF_A_PART = 64 * 1024;
    private static final int MAX_LETTER_LENGTH = 8000;
    private static final int MAX_LINE_LENGTH = 500;

    private static final Pattern ADDRESS = Pattern.compile("[^\\s<>\"'()\\[\\]:;,|]{1,64}@[A-Za-z0-9.-]{1,255}");
    /** Servers as senders, in the address or before it. */
    private static final Pattern DAEMON = Pattern.compile(
            "(^|[<\\s])(mailer-daemon|postmaster|mdaemon|mail-daemon|mailadmin|microsoftexchange[0-9a-f]+)@"
                    + "|^[\"\\s]*(mail delivery |system administrator|courier mail server)",
            2);
    /**
     * Subjects of servers' letters. A person's answer to such an email keeps its subject, after "Re:", and does not
     * match.
     */
    private static final Pattern SUBJECT = Pattern.compile(
            "^(?!\\s*(re|aw|sv|fwd?|wg) ?:).*(undeliver|delivery (status )?(notification|failure|report|error|has failed)"
                    + "|delivery failed|failure notice|returned (to sender|mail)|mail (delivery|system) (failed|error)"
                    + "|could not (be )?deliver|non.?delivery|nicht zugestellt|unzustellbar"
                    + "|(mail|message) (has been |was )?rejected)",
            2 | Pattern.DOTALL);

    /** The beginnings of absence notes' subjects, which the subject of our email follows. */
    private static final Pattern ABSENCE = Pattern.compile("out of (the )?office|automatic reply"
            + "|auto(matic)?[- ]?re(ply|sponse)|abwesen|automatische antwort|r.ponse automatique|respuesta autom"
            + "|resposta autom|risposta automatica|automatisch antwoord|autosvar|automatiskt svar");

    private static final Pattern DELAY = Pattern.compile(
            "(will|shall) (keep|continue) (trying|to (try|be))|will be retried|not yet been delivered|not been delivered yet"
                    + "|delivery is delayed|delayed mail|you do not need to resend|this is a warning message only",
            2);

    /** The line at which the copy of the original email begins. */
    private static final Pattern ORIGINAL = Pattern.compile(
            "-+ *(below this line is a copy|this is a copy of|original message|returned message).*"
                    + "|(message headers follow|possibly truncated original message follows).*|return-path: .*|received: from .*",
            2);

    private final StringBuilder headers = new StringBuilder();
    private final StringBuilder letter = new StringBuilder();
    private final List<Map<String, String>> status = new ArrayList<>();
    private final Map<String, String> abuse = new TreeMap<>();
    private @Nullable Instant at;
    private int parts;

    private BounceParser() {}

    static BounceReport parse(byte[] raw) {
        try {
            return new BounceParser().read(InboundMailParser.parse(raw));
        } catch (MessagingException | IOException | RuntimeException odd) {
            return new BounceReport(null, "", "", "", "", null);
        }
    }

    private BounceReport read(MimeMessage message) throws MessagingException, IOException {
        collect(message);
        Date date = message.getSentDate();
        at = date == null ? null : date.toInstant();
        LetterHeaders letterHeaders =
                new LetterHeaders(header(message, "From"), subject(message), header(message, "X-Failed-Recipients"));
        if (!abuse.isEmpty()) {
            return complaint();
        }
        boolean absent = isReply(message)
                && letterHeaders.failed().isEmpty()
                && !message.isMimeType("multipart/report")
                && !letterHeaders.from().toLowerCase(Locale.ROOT).contains("mailer-daemon@");
        return delivery()
                .or(() -> absent ? Optional.empty() : parseServerLetter(letterHeaders))
                .orElseGet(() -> result(null, "", "", ""));
    }

    /** The headers that show whether a server wrote the letter. */
    private record LetterHeaders(String from, String subject, String failed) {

        boolean fromAServer() {
            return !failed.isEmpty()
                    || DAEMON.matcher(from).find()
                    || SUBJECT.matcher(subject).find();
        }
    }

    private BounceReport result(@Nullable Kind kind, String code, String diagnostic, String recipient) {
        return new BounceReport(kind, code, diagnostic, recipient, headers.toString(), at);
    }

    /**
     * Collects the content of a part. A part that cannot be parsed is read as transferred, because the other parts may
     * contain the reason.
     */
    private void collect(Part part) {
        if (++parts > MAX_PARTS) {
            return;
        }
        try {
            collectContent(part);
        } catch (MessagingException | IOException | RuntimeException odd) {
            letter.append(InboundMailParser.raw(part, MAX_OF_A_PART));
        }
    }

    private void collectContent(Part part) throws MessagingException, IOException {
        if (part instanceof MimeMessage) {
            part.getAllHeaders().asIterator().forEachRemaining(this::add);
        }
        if (part.isMimeType("multipart/*") && part.getContent() instanceof Multipart several) {
            for (int i = 0; i < several.getCount(); i++) {
                collect(several.getBodyPart(i));
            }
        } else if (part.isMimeType("message/delivery-status") || part.isMimeType("message/global-delivery-status")) {
            status.addAll(fields(text(part)));
        } else if (part.isMimeType("message/feedback-report")) {
            fields(text(part)).forEach(abuse::putAll);
        } else if (part.isMimeType("message/*") || part.isMimeType("text/rfc822-headers")) {
            headers.append(text(part)).append('\n');
        } else if (part.isMimeType("text/html")) {
            letter.append(letter.length() == 0 ? HtmlText.of(text(part)) : "");
        } else if (part.isMimeType("text/*") && letter.length() < MAX_OF_A_PART) {
            letter.append(text(part)).append('\n');
        }
    }

    private void add(Header header) {
        if (headers.length() < MAX_OF_A_PART) {
            headers.append(header.getName())
                    .append(": ")
                    .append(header.getValue())
                    .append('\n');
        }
    }

    private static String text(Part part) {
        return InboundMailParser.text(part, MAX_OF_A_PART).replace("\r\n", "\n");
    }

    /** Returns groups of fields, which blank lines separate, with names in lower case. */
    private static List<Map<String, String>> fields(String text) {
        List<Map<String, String>> groups = new ArrayList<>();
        for (String group : text.replaceAll("\n[ \\t]+(?=\\S)", " ").split("\n[ \\t]*\n")) {
            Map<String, String> fields = new TreeMap<>();
            for (String line : group.split("\n")) {
                int colon = line.indexOf(':');
                if (colon > 0) {
                    fields.putIfAbsent(
                            line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                            line.substring(colon + 1).strip());
                }
            }
            groups.add(fields);
        }
        return groups;
    }

    private BounceReport complaint() {
        String type = abuse.getOrDefault("feedback-type", "abuse").toLowerCase(Locale.ROOT);
        boolean spam = !type.equals("not-spam") && !type.equals("auth-failure") && !type.equals("dmarc");
        String recipient = abuse.getOrDefault("original-rcpt-to", abuse.getOrDefault("removal-recipient", ""));
        return result(spam ? Kind.COMPLAINT : null, "", type, address(recipient));
    }

    /**
     * Returns the report about the first recipient whose delivery failed, or else about the first one. A report of a
     * delay or a receipt is not a bounce.
     */
    private Optional<BounceReport> delivery() {
        return status.stream()
                .filter(fields -> fields.containsKey("action") || fields.containsKey("status"))
                .max((one, other) -> Boolean.compare(hasFailed(one), hasFailed(other)))
                .map(this::delivery);
    }

    private static boolean hasFailed(Map<String, String> fields) {
        String usual = fields.getOrDefault("status", "").startsWith("2.") ? "delivered" : "failed";
        return fields.getOrDefault("action", usual).toLowerCase(Locale.ROOT).startsWith("fail");
    }

    private BounceReport delivery(Map<String, String> fields) {
        String original = address(fields.getOrDefault("original-recipient", ""));
        String recipient = original.isEmpty() ? address(fields.getOrDefault("final-recipient", "")) : original;
        String code = BounceClassifier.findEnhancedCode(fields.getOrDefault("status", ""))
                .orElse("");
        String said = fields.getOrDefault("diagnostic-code", "").replaceFirst("(?i)^[a-z-]+ *; *", "");
        if (!hasFailed(fields)) {
            return result(null, code, said, recipient);
        }
        String words = said.isEmpty() ? BounceClassifier.relevantLine(beforeOriginal()) : said;
        return result(BounceClassifier.classify(code, words), BounceClassifier.best(code, words), said, recipient);
    }

    /** Reads a letter in a server's own words. */
    private Optional<BounceReport> parseServerLetter(LetterHeaders letterHeaders) {
        String text = beforeOriginal();
        if (!letterHeaders.fromAServer()) {
            return Optional.empty();
        }
        headers.append(letter);
        String recipient = letterHeaders.failed().isEmpty() ? address(text) : address(letterHeaders.failed());
        if (DELAY.matcher(text.replaceAll("\\s+", " ")).find()
                || DELAY.matcher(letterHeaders.subject()).find()) {
            return Optional.of(result(null, "", "", recipient));
        }
        String said = BounceClassifier.relevantLine(text);
        return said.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        result(BounceClassifier.classify("", said), BounceClassifier.best("", said), said, recipient));
    }

    private String beforeOriginal() {
        StringBuilder before = new StringBuilder();
        for (String line : letter.toString().split("\n")) {
            String begin = line.substring(0, Math.min(line.length(), MAX_LINE_LENGTH));
            if (ORIGINAL.matcher(begin.strip()).matches() || before.length() > MAX_LETTER_LENGTH) {
                break;
            }
            before.append(begin).append('\n');
        }
        return before.toString();
    }

    private static String address(String text) {
        Matcher found = ADDRESS.matcher(text.replaceFirst("(?i)^rfc822 *;", ""));
        while (found.find()) {
            if (!DAEMON.matcher(found.group()).find()) {
                return found.group().replaceFirst("\\.$", "");
            }
        }
        return "";
    }

    private static String header(MimeMessage message, String name) throws MessagingException {
        return Objects.requireNonNullElse(message.getHeader(name, " "), "");
    }

    /** Returns the decoded subject in one line. */
    private static String subject(MimeMessage message) throws MessagingException {
        return Objects.requireNonNullElse(message.getSubject(), "");
    }

    /** Returns whether the message is an automatic reply, by RFC 3834 or the earlier conventions. */
    private static boolean isReply(MimeMessage message) throws MessagingException {
        String automatic = header(message, "Auto-Submitted").toLowerCase(Locale.ROOT);
        String precedence = header(message, "Precedence").toLowerCase(Locale.ROOT);
        String subject = subject(message).toLowerCase(Locale.ROOT);
        return automatic.startsWith("auto-replied")
                || precedence.contains("auto_reply")
                || message.getHeader("X-Autoreply") != null
                || message.getHeader("X-Autorespond") != null
                || ABSENCE.matcher(subject).lookingAt();
    }
}

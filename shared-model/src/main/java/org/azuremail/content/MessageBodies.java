package org.azuremail.content;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a subject and two bodies can be sent, before anything is stored. What is wrong is told field by field,
 * all at once.
 */
public final class MessageBodies {

    /** The fields that every recipient has; a list's attributes come on top. */
    public static final Set<String> BUILT_IN_FIELDS = Set.of("name", "email", "list", "unsubscribe");

    /** The longest subject, in characters: a header line of RFC 5322, 2.1.1. */
    public static final int MAX_SUBJECT = 998;

    /** Braces that were meant as a field but are none, as {@code {{first name}}}. */
    private static final Pattern BROKEN_FIELD = Pattern.compile("\\{\\{([^{}\\r\\n]{1,100})}}");

    /** Opening braces of a field that never ends, as in an unfinished {@code name}. */
    private static final Pattern UNCLOSED_FIELD = Pattern.compile("\\{\\{(?!\\{)(?![^{}]{1,600}}})");

    /** The most tags of an HTML body, counted by {@code <}: more than any mail has, and what a process reads in a moment. */
    public static final int MAX_TAGS = 100_000;

    /** So many mistakes of a kind are told at a time. */
    private static final int MOST_OF_A_KIND = 10;

    private static final int EXCERPT = 30;

    /**
     * What somebody wants to send.
     *
     * @param html the bytes as they were uploaded, UTF-8 with or without a byte order mark
     * @param text likewise; when {@code null} or blank it is made from the HTML
     */
    public record Draft(String subject, byte[] html, byte @Nullable [] text) {

        /** Of texts that were typed in. */
        public static Draft of(String subject, String html, @Nullable String text) {
            return new Draft(
                    subject,
                    html.getBytes(StandardCharsets.UTF_8),
                    text == null ? null : text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * What is wrong, and where.
     *
     * @param field {@code subject}, {@code html} or {@code text}
     * @param message a sentence for the author
     */
    public record Problem(String field, String message) {}

    /** What became of the check. */
    public sealed interface Checked {

        /** It can be stored and sent; both bodies are there. */
        record Valid(String subject, String html, String text, TextPart textPart) implements Checked {}

        /** It cannot, for at least one reason. */
        record Refused(List<Problem> problems) implements Checked {

            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    private final long maxBody;

    public MessageBodies(ContentProperties properties) {
        this.maxBody = properties.maxBody().toBytes();
    }

    /**
     * Checks a draft.
     *
     * @param attributeNames what the list's subscribers have besides the {@link #BUILT_IN_FIELDS}
     */
    public Checked check(Draft draft, Set<String> attributeNames) {
        List<Problem> problems = new ArrayList<>(checkSubject(draft.subject(), attributeNames));
        String html = read("html", draft.html(), problems);
        String text = draft.text() == null ? "" : read("text", draft.text(), problems);
        if (html != null) {
            checkHtml(html, attributeNames, problems);
        }
        if (text != null) {
            checkFields("text", text, TemplateParser.parse(text), attributeNames, problems);
        }
        if (!problems.isEmpty() || html == null || text == null) {
            return new Checked.Refused(problems);
        }
        String generated = textOf(html, draft.subject());
        boolean same = text.isBlank() || text.strip().equals(generated.strip());
        return new Checked.Valid(
                draft.subject().strip(),
                html,
                text.isBlank() ? generated : text,
                same ? TextPart.GENERATED : TextPart.WRITTEN);
    }

    /**
     * Where a text part comes from of which nobody wrote that down, as versions before {@link TextPart} did not: generated
     * when it says nothing but what the HTML says, word for word, whatever its layout. Generators differ in layout, and
     * showed text once that is hidden.
     */
    public static TextPart guess(String subject, String html, String text) {
        String letters = letters(text);
        boolean generated =
                letters.equals(letters(textOf(html, subject))) || letters.equals(letters(HtmlText.of(html, true)));
        return generated ? TextPart.GENERATED : TextPart.WRITTEN;
    }

    private static String letters(String text) {
        StringBuilder letters = new StringBuilder(text.length());
        text.codePoints().filter(Character::isLetter).forEach(letters::appendCodePoint);
        return letters.toString();
    }

    /** Checks a subject alone. */
    public List<Problem> checkSubject(String subject, Set<String> attributeNames) {
        List<Problem> problems = new ArrayList<>();
        if (subject.isBlank()) {
            problems.add(new Problem("subject", "The subject line is required."));
        }
        if (subject.length() > MAX_SUBJECT) {
            problems.add(new Problem("subject", "The subject line is longer than " + MAX_SUBJECT + " characters."));
        }
        if (subject.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
            problems.add(new Problem("subject", "The subject line holds half a character. Type or copy it again."));
        }
        if (subject.codePoints().anyMatch(MessageBodies::breaksLine)) {
            problems.add(new Problem("subject", "The subject line holds a line break or another control character."));
        }
        checkFields("subject", subject, TemplateParser.parse(subject), attributeNames, problems);
        return problems;
    }

    private static boolean breaksLine(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
    }

    private @Nullable String read(String field, byte[] bytes, List<Problem> problems) {
        if (bytes.length > maxBody) {
            problems.add(new Problem(
                    field, "The " + name(field) + " has " + bytes.length + " bytes; the limit is " + maxBody + "."));
            return null;
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        if (result.isError()) {
            problems.add(new Problem(
                    field,
                    "The " + name(field) + " is not UTF-8: byte " + (in.position() + 1)
                            + " cannot be read. Save it as UTF-8 and try again."));
            return null;
        }
        String content = out.flip().toString();
        if (content.indexOf('\0') >= 0) {
            problems.add(new Problem(field, "The " + name(field) + " holds a zero byte: is it really a text file?"));
            return null;
        }
        return content.startsWith("\uFEFF") ? content.substring(1) : content;
    }

    private static void checkHtml(String html, Set<String> attributeNames, List<Problem> problems) {
        if (html.isBlank()) {
            problems.add(new Problem("html", "The HTML body is empty."));
        } else if (html.chars().filter(c -> c == '<').count() > MAX_TAGS) {
            problems.add(new Problem("html", "The HTML body has more than 100,000 tags. Make it shorter."));
            return;
        } else if (!HtmlText.holdsElement(html)) {
            problems.add(new Problem("html", "The HTML body holds no HTML element: is it the text body?"));
        }
        checkFields("html", html, TemplateParser.parseHtml(html), attributeNames, problems);
    }

    private static void checkFields(
            String field, String source, Template template, Set<String> attributeNames, List<Problem> problems) {
        Set<String> unknown = new LinkedHashSet<>(template.fieldNames());
        unknown.removeAll(BUILT_IN_FIELDS);
        unknown.removeAll(attributeNames);
        unknown.stream()
                .limit(MOST_OF_A_KIND)
                .map(name ->
                        new Problem(field, "The " + name(field) + " uses the unknown merge field {{" + name + "}}."))
                .forEach(problems::add);
        template.parts().stream()
                .flatMap(part -> part instanceof Template.Literal literal ? brokenFields(literal.text()) : Stream.of())
                .limit(MOST_OF_A_KIND)
                .map(broken ->
                        new Problem(field, "In the " + name(field) + ", " + broken.group() + " is not a merge field."))
                .forEach(problems::add);
        UNCLOSED_FIELD
                .matcher(source)
                .results()
                .limit(MOST_OF_A_KIND)
                .forEach(open -> problems.add(unclosed(field, source, open.start())));
    }

    static Stream<MatchResult> brokenFields(CharSequence text) {
        return BROKEN_FIELD.matcher(text).results();
    }

    private static Problem unclosed(String field, String source, int at) {
        long line = 1 + source.substring(0, at).chars().filter(c -> c == '\n').count();
        String rest = source.substring(at, Math.min(source.length(), at + EXCERPT));
        String place = field.equals("subject") ? "" : ", line " + line;
        return new Problem(
                field,
                "In the " + name(field) + place + ", the merge field at \u201c"
                        + rest.lines().findFirst().orElse("{{") + "\u201d is not closed. It ends with }}.");
    }

    private static String textOf(String html, String subject) {
        String text = HtmlText.of(html);
        return text.isBlank() ? subject.strip() + "\n" : text;
    }

    private static String name(String field) {
        return switch (field) {
            case "html" -> "HTML body";
            case "text" -> "text body";
            default -> "subject line";
        };
    }
}

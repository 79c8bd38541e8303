package org.azuremail.content;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.azuremail.content.Layout.Frame;
import org.azuremail.content.Layout.Source;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/**
 * Checks whether a subject and two bodies can be sent, before anything is stored. All faults are reported at once, each
 * with its field.
 */
public final class MessageBodies {

    /** The fields that every recipient has, besides the list's attributes. */
    public static final Set<String> BUILT_IN_FIELDS =
            Set.of("name", "email", "list", "list-address", "unsubscribe", "preferences");

    /** The longest subject, in characters: a header line of RFC 5322, 2.1.1. */
    public static final int MAX_SUBJECT = 998;

    /** The longest preview text, in characters: more than any inbox shows. */
    public static final int MAX_PREVIEW = 200;

    /** The largest limit of a body that can be set. */
    public static final DataSize MAX_BODY = DataSize.ofMegabytes(10);

    private static final Pattern WHOLE_PAGE =
            Pattern.compile("<(?:html|head|body|!doctype)[\\s>/]", Pattern.CASE_INSENSITIVE);

    /**
     * The most tags of an HTML body, counted by {@code <}: more than real emails have, and few enough to be read in a
     * moment.
     */
    public static final int MAX_TAGS = 100_000;

    /**
     * A text to be sent.
     *
     * @param html the bytes as uploaded, in UTF-8 with or without a byte order mark
     * @param text likewise; if it is {@code null} or blank, it is generated from the HTML
     * @param markdown the source from which the HTML is rendered instead of {@code html}; {@code null} for a message
     *     written in HTML
     * @param layout the layout around it; {@link Layout#NONE} if {@code html} is a whole page
     */
    public record Draft(
            String subject,
            byte[] html,
            byte @Nullable [] text,
            @Nullable String markdown,
            Layout layout) {

        public Draft(String subject, byte[] html, byte @Nullable [] text) {
            this(subject, html, text, null, Layout.NONE);
        }

        public static Draft of(String subject, String html, byte @Nullable [] text, @Nullable Source source) {
            String page = source == null || source.markdown() ? html : source.written();
            return new Draft(
                    subject,
                    page.getBytes(StandardCharsets.UTF_8),
                    text,
                    source != null && source.markdown() ? source.written() : null,
                    source == null ? Layout.NONE : source.layout());
        }

        public static Draft of(String subject, String html, @Nullable String text) {
            return of(subject, html, text == null ? null : text.getBytes(StandardCharsets.UTF_8), null);
        }
    }

    /**
     * A fault and its place.
     *
     * @param field {@code subject}, {@code html}, {@code markdown}, {@code text}, {@code preview} or {@code template};
     *     for whole messages also {@code list}, {@code scheduledAt} and {@code zone}
     */
    public record Problem(String field, Reason reason) {

        public Problem(String field, Reason.Code code, Object... values) {
            this(field, Reason.of(code, values));
        }

        public String message() {
            return reason.words();
        }
    }

    public sealed interface Checked {

        /**
         * The draft can be stored; both bodies are present.
         *
         * @param source the source from which the HTML was rendered; {@code null} if it is as written
         */
        record Valid(
                String subject,
                String html,
                String text,
                TextPart textPart,
                @Nullable Source source) implements Checked {}

        /** The draft cannot be stored, for at least one reason. */
        record Refused(List<Problem> problems) implements Checked {

            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    private final long maxBody;

    MessageBodies(ContentProperties properties) {
        this.maxBody = properties.maxBody().toBytes();
    }

    /**
     * Checks a draft that is to be sent.
     *
     * @param attributeNames the attributes of the list's subscribers, besides the {@link #BUILT_IN_FIELDS}
     * @param frame the frame around the content; {@code null} for HTML that is a whole page
     */
    public Checked check(Draft draft, Set<String> attributeNames, @Nullable Frame frame) {
        List<Problem> problems = new ArrayList<>(checkSubject(draft.subject(), attributeNames));
        String preview = checkPreview(draft, problems);
        FieldCheck.check("preview", preview, attributeNames, problems);
        String written = written(draft, problems);
        String text = draft.text() == null ? "" : read("text", draft.text(), maxBody, problems);
        String html = written == null ? null : rendered(draft, written, frame);
        if (written != null && html != null) {
            checkHtml(draft, written, html, attributeNames, problems);
        }
        if (text != null) {
            FieldCheck.check("text", text, attributeNames, problems);
        }
        return checked(draft, written, html, text, problems);
    }

    /** Checks an unfinished draft. It may be empty or incomplete as long as it can be stored. */
    public Checked checkUnfinished(Draft draft, @Nullable Frame frame) {
        List<Problem> problems = new ArrayList<>();
        checkLine(draft.subject(), problems);
        checkPreview(draft, problems);
        String written = written(draft, problems);
        String text = draft.text() == null ? "" : read("text", draft.text(), maxBody, problems);
        String html = written == null ? null : rendered(draft, written, frame);
        if (html != null) {
            checkSize(html, problems);
        }
        return checked(draft, written, html, text, problems);
    }

    private @Nullable String written(Draft draft, List<Problem> problems) {
        String markdown = draft.markdown();
        if (markdown == null) {
            return read("html", draft.html(), maxBody, problems);
        }
        long max = Math.min(maxBody, MarkdownRenderer.MAX_BYTES);
        if (MarkdownRenderer.marks(markdown) > MarkdownRenderer.MAX_MARKS) {
            problems.add(new Problem("markdown", BodyFault.MARKDOWN_MARKS, MarkdownRenderer.MAX_MARKS));
            return null;
        }
        return read("markdown", markdown.getBytes(StandardCharsets.UTF_8), max, problems);
    }

    private static String rendered(Draft draft, String written, @Nullable Frame frame) {
        Frame.Buttons buttons = frame == null ? Frame.Buttons.OURS : frame.buttons();
        String content = draft.markdown() == null ? written : MarkdownRenderer.render(written, buttons);
        return frame == null ? content : frame.around(content);
    }

    private static Checked checked(
            Draft draft,
            @Nullable String written,
            @Nullable String html,
            @Nullable String text,
            List<Problem> problems) {
        if (!problems.isEmpty() || written == null || html == null || text == null) {
            return new Checked.Refused(problems);
        }
        boolean markdown = draft.markdown() != null;
        String generated = TextPart.generate(html, draft.subject());
        boolean same = text.isBlank() || text.strip().equals(generated.strip());
        return new Checked.Valid(
                draft.subject().strip(),
                html,
                text.isBlank() ? generated : text,
                same ? TextPart.GENERATED : TextPart.WRITTEN,
                markdown || !draft.layout().template().isEmpty()
                        ? new Source(written, markdown, draft.layout())
                        : null);
    }

    List<Problem> checkSubject(String subject, Set<String> attributeNames) {
        List<Problem> problems = new ArrayList<>();
        if (subject.isBlank()) {
            problems.add(new Problem("subject", BodyFault.SUBJECT_MISSING));
        }
        checkLine(subject, problems);
        FieldCheck.check("subject", subject, attributeNames, problems);
        return problems;
    }

    private static void checkLine(String subject, List<Problem> problems) {
        if (subject.length() > MAX_SUBJECT) {
            problems.add(new Problem("subject", BodyFault.SUBJECT_LONG, MAX_SUBJECT));
        }
        if (subject.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)) {
            problems.add(new Problem("subject", BodyFault.SUBJECT_HALF_CHARACTER));
        }
        if (subject.codePoints().anyMatch(MessageBodies::breaksLine)) {
            problems.add(new Problem("subject", BodyFault.SUBJECT_LINE_BREAK));
        }
    }

    private static String checkPreview(Draft draft, List<Problem> problems) {
        String preview = draft.layout().preview();
        boolean line =
                preview.codePoints().noneMatch(c -> breaksLine(c) || Character.getType(c) == Character.SURROGATE);
        if (preview.length() > MAX_PREVIEW || !line) {
            problems.add(new Problem("preview", BodyFault.PREVIEW_LONG, MAX_PREVIEW));
        }
        if (!preview.isBlank() && draft.layout().template().isEmpty()) {
            problems.add(new Problem("preview", BodyFault.PREVIEW_NO_TEMPLATE));
        }
        return preview;
    }

    private static boolean breaksLine(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
    }

    private static @Nullable String read(String field, byte[] bytes, long max, List<Problem> problems) {
        if (bytes.length > max) {
            problems.add(new Problem(
                    field,
                    BodyFault.BODY_TOO_LARGE,
                    BodyFault.part(field),
                    String.valueOf(bytes.length),
                    String.valueOf(max)));
            return null;
        }
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        if (result.isError()) {
            problems.add(new Problem(field, BodyFault.BODY_NOT_UTF8, BodyFault.part(field), in.position() + 1));
            return null;
        }
        String content = out.flip().toString();
        if (content.indexOf('\0') >= 0) {
            problems.add(new Problem(field, BodyFault.BODY_ZERO_BYTE, BodyFault.part(field)));
            return null;
        }
        return content.startsWith("\uFEFF") ? content.substring(1) : content;
    }

    private static void checkHtml(
            Draft draft, String written, String html, Set<String> attributeNames, List<Problem> problems) {
        boolean markdown = draft.markdown() != null;
        String field = markdown ? "markdown" : "html";
        boolean framed = !markdown && !draft.layout().template().isEmpty();
        if (written.isBlank()) {
            problems.add(new Problem(field, BodyFault.BODY_EMPTY));
        } else if (checkSize(html, problems)) {
            return;
        } else if (!HtmlText.holdsElement(html)) {
            problems.add(new Problem("html", BodyFault.BODY_NO_ELEMENT));
        } else if (framed && WHOLE_PAGE.matcher(written).find()) {
            problems.add(new Problem("html", BodyFault.BODY_WHOLE_PAGE));
        }
        FieldCheck.check(field, written, attributeNames, problems);
    }

    private static boolean checkSize(String html, List<Problem> problems) {
        boolean tooMany = html.chars().filter(c -> c == '<').count() > MAX_TAGS;
        if (tooMany) {
            problems.add(new Problem("html", BodyFault.BODY_TAGS, MAX_TAGS));
        }
        return tooMany;
    }
}

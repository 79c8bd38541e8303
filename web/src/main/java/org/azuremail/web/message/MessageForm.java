package org.azuremail.web.message;

import static org.azuremail.web.layout.FormErrors.stripped;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.content.BodyFault;
import org.azuremail.content.Layout;
import org.azuremail.content.Layout.Source;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.web.layout.FormErrors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.DefaultMessageSourceResolvable;
import org.springframework.util.MultiValueMap;
import org.springframework.validation.Errors;
import org.springframework.web.multipart.MultipartFile;

/**
 * A message, or the part of it that one step shows, as typed or uploaded; {@code null} keeps the stored value. An
 * uploaded file takes precedence over the text field of the same part. Each file replaces only its own part.
 *
 * @param list a list, or a segment of it such as {@code news/gold}
 * @param also more lists, in their order
 * @param format {@code blocks}, {@code markdown} or {@code html}; blocks are another view of the Markdown
 * @param template the template for Markdown
 * @param htmlTemplate the template for HTML; empty for a whole page, which an uploaded file always is
 * @param when {@code now} or {@code later}
 * @param mailClass the label of a class; empty for the class of the list's plan
 */
record MessageForm(
        @Nullable String list,
        @Nullable List<String> also,
        @Nullable String subject,
        @Nullable String preview,
        @Nullable String format,
        @Nullable String template,
        @Nullable String htmlTemplate,
        @Nullable String markdown,
        @Nullable String html,
        @Nullable String text,
        @Nullable MultipartFile htmlFile,
        @Nullable MultipartFile textFile,
        @Nullable String when,
        @Nullable String date,
        @Nullable String time,
        @Nullable String zone,
        @Nullable String onUnknown,
        @Nullable String mailClass) {

    /** The fewest fields for more lists that the page offers. One empty field is always offered. */
    private static final int FEWEST_PLACES = 3;

    private static final int DAYS_AHEAD = 7;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm", Locale.ROOT);

    static final String BLOCKS = "blocks";
    private static final String MARKDOWN = "markdown";

    /** @param editor the way to write that the author used last */
    static MessageForm empty(@Nullable String list, String editor) {
        return new MessageForm(
                list,
                null,
                "",
                "",
                editor(editor),
                Layout.LETTER.template(),
                "",
                "",
                "",
                "",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /**
     * Returns the form with the content of a message. The field of a text part that is generated from the HTML is
     * empty.
     *
     * @param editor the way to write that the author used last
     */
    static MessageForm content(Message message, Bodies bodies, Optional<Source> source, String editor) {
        boolean markdown = source.map(Source::markdown).orElse(bodies.html().isBlank());
        Layout layout = source.map(Source::layout).orElse(markdown ? Layout.LETTER : Layout.NONE);
        Optional<String> written = source.map(Source::written);
        boolean empty = markdown && written.orElse("").isBlank();
        return new MessageForm(
                message.audience().withoutOccasion().stored(),
                null,
                message.subject(),
                layout.preview(),
                markdown ? editor(editor) : "html",
                markdown ? layout.template() : Layout.LETTER.template(),
                markdown ? "" : layout.template(),
                markdown ? written.orElse("") : "",
                empty ? "" : markdown ? bodies.html() : written.orElse(bodies.html()),
                Messages.textGenerated(message, bodies) ? "" : bodies.text(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /**
     * Returns the form with the recipients of a message and its date.
     *
     * @param undated whether the date means nothing because the draft does not wait for a day; the form then offers a
     *     week from now
     */
    static MessageForm recipients(Message message, boolean undated) {
        LocalDateTime due = message.schedule().local();
        return new MessageForm(
                message.audience().segment() == null
                        ? message.list().value()
                        : message.audience().withoutOccasion().stored(),
                message.lists().stream().skip(1).map(ListName::value).toList(),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                undated ? "now" : "later",
                (undated ? due.plusDays(DAYS_AHEAD) : due).toLocalDate().toString(),
                undated ? "09:00" : TIME.format(due),
                message.schedule().zone().getId(),
                message.onUnknown().name(),
                FormErrors.text(message.mailClass()));
    }

    private static String editor(String used) {
        return MARKDOWN.equals(used) ? MARKDOWN : BLOCKS;
    }

    /** Drops empty and repeated lists: a browser sends an unused field as an empty one. */
    MessageForm {
        also = also == null
                ? null
                : also.stream().filter(one -> !one.isBlank()).distinct().toList();
    }

    /** Returns the audience: the list that was chosen, or a segment of it, and the lists besides. */
    Optional<Audience> audience() {
        String others = also == null ? "" : " " + String.join(" ", also);
        return Audience.parse(stripped(list) + (others.isBlank() ? "" : others));
    }

    public int places() {
        int filled = also == null ? 0 : also.size();
        return Math.min(Audience.MAX_LISTS - 1, Math.max(FEWEST_PLACES, filled + 1));
    }

    /** Returns the list at this index; empty if there is none. */
    public String also(int place) {
        return also == null || place >= also.size() ? "" : also.get(place);
    }

    /** Returns whether this list, or a segment of it, is the main choice. */
    public boolean first(ListName name) {
        return stripped(list).split("/", 2)[0].equals(name.value());
    }

    Optional<ListName> listName() {
        return audience().map(Audience::list);
    }

    /**
     * Returns the HTML part: the file, or else the typed text; {@code null} if neither exists or the content is written
     * in Markdown.
     */
    byte @Nullable [] htmlBytes() {
        return markdownWritten() == null ? Upload.bytes(htmlFile, html) : null;
    }

    /** Returns the Markdown if it is chosen. Empty Markdown never replaces existing HTML. */
    @Nullable
    String markdownWritten() {
        boolean chosen = (MARKDOWN.equals(format) || BLOCKS.equals(format)) && !Upload.isPresent(htmlFile);
        return chosen && (!stripped(markdown).isEmpty() || stripped(html).isEmpty()) ? FormErrors.text(markdown) : null;
    }

    /** Returns a mark of the HTML that a page showed, by which a later request detects a change. */
    static String mark(@Nullable String html) {
        return Integer.toHexString(
                FormErrors.text(html).replace("\r\n", "\n").strip().hashCode());
    }

    public String htmlMark() {
        return mark(html);
    }

    /**
     * Returns the format whose text is left out because the other one is chosen; {@code null} if no text is lost.
     *
     * @param htmlShown the {@link #mark} of the HTML that the page showed first; empty if the message was written in it
     */
    @Nullable
    String leftOut(@Nullable String htmlShown) {
        if (markdownWritten() != null) {
            return htmlShown != null && !stripped(html).isEmpty() && !htmlShown.equals(htmlMark()) ? "html" : null;
        }
        return stripped(markdown).isEmpty() || Upload.isPresent(htmlFile) ? null : MARKDOWN;
    }

    /** Returns whether this is the step with the content. */
    boolean hasContent() {
        return subject != null;
    }

    /** Returns whether this is the step with the time. */
    boolean hasTime() {
        return when != null;
    }

    Draft draft() {
        byte[] typed = htmlBytes();
        return new Draft(
                FormErrors.text(subject),
                typed == null ? new byte[0] : typed,
                textBytes(),
                markdownWritten(),
                layout());
    }

    /** Returns the layout of the content. Markdown always has a template. */
    Layout layout() {
        String chosen = markdownWritten() == null ? FormErrors.text(htmlTemplate) : FormErrors.text(template);
        String usual = markdownWritten() == null ? "" : Layout.LETTER.template();
        return new Layout(chosen.isEmpty() || Upload.isPresent(htmlFile) ? usual : chosen, stripped(preview));
    }

    /** Returns the name of a template as a value for a text; the shipped ones have a name in the texts. */
    static Object templateName(String template) {
        return template.isEmpty()
                ? new DefaultMessageSourceResolvable("message.template.none")
                : new DefaultMessageSourceResolvable(new String[] {"gallery.name." + template}, template);
    }

    byte @Nullable [] textBytes() {
        return Upload.bytes(textFile, text);
    }

    OnUnknown onUnknownChoice() {
        return OnUnknown.RESEND.name().equals(onUnknown) ? OnUnknown.RESEND : OnUnknown.HOLD;
    }

    /** Returns the chosen class; empty if the plan of the list decides or this step does not have the field. */
    Optional<String> mailClassChoice() {
        return Optional.ofNullable(mailClass).filter(label -> !label.isBlank());
    }

    /** Returns the schedule; empty if it has a fault, which is reported at its field. */
    Optional<Schedule> schedule(ZoneId defaultZone, Instant now, Errors errors) {
        boolean later = "later".equals(when);
        if (later && stripped(date).isEmpty()) {
            errors.rejectValue("date", "error.message.date");
            return Optional.empty();
        }
        String typed = stripped(time).isEmpty() ? stripped(date) : stripped(date) + "T" + stripped(time);
        Schedule.ParseResult read = Schedule.read(later ? typed : null, zone, defaultZone, now);
        if (read instanceof Schedule.ParseResult.Valid valid) {
            return Optional.of(valid.schedule());
        }
        report(((Schedule.ParseResult.Refused) read).problem(), errors);
        return Optional.empty();
    }

    /**
     * Returns the typed local time if it does not exist in its zone, so that another one replaces it; empty if it
     * cannot be read.
     */
    Optional<LocalDateTime> skippedTime(ZoneId in) {
        if (!"later".equals(when)) {
            return Optional.empty();
        }
        try {
            LocalDate day = LocalDate.parse(stripped(date));
            LocalTime typed = stripped(time).isEmpty() ? LocalTime.MIDNIGHT : LocalTime.parse(stripped(time));
            return Optional.of(day.atTime(typed))
                    .filter(wanted -> in.getRules().getValidOffsets(wanted).isEmpty());
        } catch (DateTimeParseException notLocal) {
            return Optional.empty();
        }
    }

    /** Puts a problem beside the field where it can be corrected. */
    void report(Problem problem, Errors errors) {
        String field =
                switch (problem.field()) {
                    case "scheduledAt" -> "date";
                    case "segment" -> "list";
                    case "html" -> Upload.isPresent(htmlFile) ? "htmlFile" : "html";
                    case "template" -> markdownWritten() != null ? "template" : "htmlTemplate";
                    case "text" -> Upload.isPresent(textFile) ? "textFile" : "text";
                    default -> problem.field();
                };
        boolean empty = problem.reason().is(BodyFault.BODY_EMPTY);
        String code =
                empty ? "error.message.html" : "reason." + problem.reason().code();
        errors.rejectValue(field, code, problem.reason().values().toArray(), null);
    }

    /** Returns a copy with the Markdown of the block editor, if the form has one and no field with Markdown. */
    MessageForm withBlocks(MultiValueMap<String, String> sent) {
        Optional<BlockFields> blocks = markdown == null ? BlockFields.of(sent) : Optional.empty();
        return blocks.map(BlockFields::markdown).map(this::withMarkdown).orElse(this);
    }

    private MessageForm withMarkdown(String written) {
        return new MessageForm(
                list,
                also,
                subject,
                preview,
                format,
                template,
                htmlTemplate,
                written,
                html,
                text,
                htmlFile,
                textFile,
                when,
                date,
                time,
                zone,
                onUnknown,
                mailClass);
    }

    /**
     * Returns a copy with the uploaded files in the text fields, so that nothing is lost when the form is shown again.
     */
    MessageForm withFilesAsText() {
        return new MessageForm(
                list,
                also,
                subject,
                preview,
                Upload.isPresent(htmlFile) ? "html" : format,
                template,
                htmlTemplate,
                markdown,
                Upload.readable(htmlFile, html),
                Upload.readable(textFile, text),
                null,
                null,
                when,
                date,
                time,
                zone,
                onUnknown,
                mailClass);
    }
}

package org.azuremail.web.message;

import static org.azuremail.web.layout.Faults.stripped;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
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
import org.azuremail.web.layout.Faults;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.Errors;
import org.springframework.web.multipart.MultipartFile;

/**
 * A message, or the part of it that one step shows, as it is typed or uploaded; {@code null} leaves what is stored. A file
 * that was uploaded wins over what is in the text field of the same part; each replaces its own part and no other.
 *
 * @param list a list, or a segment of it as {@code news/gold}
 * @param also more lists, in their order
 * @param format {@code markdown} or {@code html}
 * @param template of Markdown
 * @param htmlTemplate of HTML; empty for a whole page, as a file always is
 * @param when {@code now} or {@code later}
 * @param mailClass the label of a class; empty for the one of the list's plan
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

    /** The fewest fields for more lists that are offered; one more than are filled in is always there. */
    private static final int FEWEST_PLACES = 3;

    private static final int DAYS_AHEAD = 7;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");

    private static final String MARKDOWN = "markdown";

    static MessageForm empty(@Nullable String list) {
        return new MessageForm(
                list,
                null,
                "",
                "",
                MARKDOWN,
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

    /** The content of a message. A text part that is generated from the HTML is an empty field. */
    static MessageForm content(Message message, Bodies bodies, Optional<Source> source) {
        boolean markdown = source.map(Source::markdown).orElse(bodies.html().isBlank());
        Layout layout = source.map(Source::layout).orElse(markdown ? Layout.LETTER : Layout.NONE);
        Optional<String> written = source.map(Source::written);
        boolean empty = markdown && written.orElse("").isBlank();
        return new MessageForm(
                message.audience().onAnyDay().stored(),
                null,
                message.subject(),
                layout.preview(),
                markdown ? MARKDOWN : "html",
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
     * The recipients of a message, and its date.
     *
     * @param undated whether its date means nothing, as that of a draft that is not to wait for a day: a week from now is
     *     offered
     */
    static MessageForm recipients(Message message, boolean undated) {
        LocalDateTime due = message.schedule().local();
        return new MessageForm(
                message.audience().segment() == null
                        ? message.list().value()
                        : message.audience().onAnyDay().stored(),
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
                Faults.text(message.mailClass()));
    }

    /** A place that nobody has filled is sent empty. */
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
        return Math.min(Audience.MOST_LISTS - 1, Math.max(FEWEST_PLACES, filled + 1));
    }

    /** The list in one of these places; empty for none. */
    public String also(int place) {
        return also == null || place >= also.size() ? "" : also.get(place);
    }

    /** Returns whether it is the list that was chosen first, or has the segment that was. */
    public boolean first(ListName name) {
        return stripped(list).split("/", 2)[0].equals(name.value());
    }

    Optional<ListName> listName() {
        return audience().map(Audience::list);
    }

    /** The HTML part: the file, or else what was typed; {@code null} when there is neither, or it is written in Markdown. */
    byte @Nullable [] htmlBytes() {
        return markdownWritten() == null ? Upload.bytes(htmlFile, html) : null;
    }

    /** The Markdown, when that is chosen; an empty one never takes the place of HTML that is there. */
    @Nullable
    String markdownWritten() {
        boolean chosen = MARKDOWN.equals(format) && !Upload.isThere(htmlFile);
        return chosen && (!stripped(markdown).isEmpty() || stripped(html).isEmpty()) ? Faults.text(markdown) : null;
    }

    /** Names the HTML that a page showed, to find out later whether it was changed. */
    static String mark(@Nullable String html) {
        return Integer.toHexString(
                Faults.text(html).replace("\r\n", "\n").strip().hashCode());
    }

    public String htmlMark() {
        return mark(html);
    }

    /**
     * The format whose text is left out because the other one is chosen; {@code null} when nothing is lost.
     *
     * @param htmlShown the {@link #mark} of the HTML that the page showed first
     */
    @Nullable
    String leftOut(@Nullable String htmlShown) {
        if (markdownWritten() != null) {
            return htmlShown != null && !stripped(html).isEmpty() && !htmlShown.equals(htmlMark()) ? "html" : null;
        }
        return stripped(markdown).isEmpty() || Upload.isThere(htmlFile) ? null : MARKDOWN;
    }

    /** Returns whether this is the step that says what the message says. */
    boolean hasContent() {
        return subject != null;
    }

    /** Returns whether this is the step that says when it is sent. */
    boolean hasTime() {
        return when != null;
    }

    Draft draft() {
        byte[] typed = htmlBytes();
        return new Draft(
                Faults.text(subject), typed == null ? new byte[0] : typed, textBytes(), markdownWritten(), layout());
    }

    /** The frame around the content. Markdown always has something around it. */
    Layout layout() {
        String chosen = markdownWritten() == null ? Faults.text(htmlTemplate) : Faults.text(template);
        String usual = markdownWritten() == null ? "" : Layout.LETTER.template();
        return new Layout(chosen.isEmpty() || Upload.isThere(htmlFile) ? usual : chosen, stripped(preview));
    }

    byte @Nullable [] textBytes() {
        return Upload.bytes(textFile, text);
    }

    OnUnknown onUnknownChoice() {
        return OnUnknown.RESEND.name().equals(onUnknown) ? OnUnknown.RESEND : OnUnknown.HOLD;
    }

    /** Empty when the plan of the list decides, or this step does not say. */
    Optional<String> mailClassChoice() {
        return Optional.ofNullable(mailClass).filter(label -> !label.isBlank());
    }

    /** Returns the schedule, or empty with the fault noted beside the field. */
    Optional<Schedule> schedule(ZoneId defaultZone, Instant now, Errors errors) {
        boolean later = "later".equals(when);
        if (later && stripped(date).isEmpty()) {
            errors.rejectValue("date", "error.message.date");
            return Optional.empty();
        }
        String typed = stripped(time).isEmpty() ? stripped(date) : stripped(date) + "T" + stripped(time);
        Schedule.Read read = Schedule.read(later ? typed : null, zone, defaultZone, now);
        if (read instanceof Schedule.Read.Valid valid) {
            return Optional.of(valid.schedule());
        }
        report(((Schedule.Read.Refused) read).problem(), errors);
        return Optional.empty();
    }

    /** The local time that was typed, when there is none such and another one stands in for it. */
    Optional<LocalDateTime> leftOut(Schedule read) {
        if (!"later".equals(when) || !stripped(date).matches("[0-9-]{10}")) {
            return Optional.empty();
        }
        LocalTime typed = stripped(time).isEmpty() ? LocalTime.MIDNIGHT : LocalTime.parse(stripped(time));
        LocalDateTime wanted = LocalDate.parse(stripped(date)).atTime(typed);
        return wanted.equals(read.local()) ? Optional.empty() : Optional.of(wanted);
    }

    /** Puts a problem beside the field where it can be corrected. */
    void report(Problem problem, Errors errors) {
        String field =
                switch (problem.field()) {
                    case "scheduledAt" -> "date";
                    case "html" -> Upload.isThere(htmlFile) ? "htmlFile" : "html";
                    case "template" -> markdownWritten() != null ? "template" : "htmlTemplate";
                    case "text" -> Upload.isThere(textFile) ? "textFile" : "text";
                    default -> problem.field();
                };
        boolean empty = problem.reason().is(BodyFault.BODY_EMPTY);
        String code =
                empty ? "error.message.html" : "reason." + problem.reason().code();
        errors.rejectValue(field, code, problem.reason().values().toArray(), null);
    }

    /** The same with the uploaded files in the text fields, so that nothing is lost when the form is shown again. */
    MessageForm withFilesAsText() {
        return new MessageForm(
                list,
                also,
                subject,
                preview,
                Upload.isThere(htmlFile) ? "html" : format,
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

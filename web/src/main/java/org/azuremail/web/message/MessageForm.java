package org.azuremail.web.message;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.jspecify.annotations.Nullable;
import org.springframework.validation.Errors;
import org.springframework.web.multipart.MultipartFile;

/**
 * A message as it is typed or uploaded. A file that was uploaded wins over what stands in the text field of the same
 * part; each replaces its own part and no other.
 *
 * @param when {@code now} or {@code later}
 */
record MessageForm(
        @Nullable String list,
        @Nullable String subject,
        @Nullable String html,
        @Nullable String text,
        @Nullable MultipartFile htmlFile,
        @Nullable MultipartFile textFile,
        @Nullable String when,
        @Nullable String date,
        @Nullable String time,
        @Nullable String zone,
        @Nullable String onUnknown) {

    private static final int DAYS_AHEAD = 7;

    /** No more is held in memory, whatever is uploaded; the check of the bodies refuses it. */
    private static final int MORE_THAN_ANY_BODY = 10 * 1024 * 1024 + 1;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm");

    static MessageForm empty(@Nullable String list, LocalDate today, ZoneId zone, OnUnknown onUnknown) {
        String date = today.plusDays(DAYS_AHEAD).toString();
        return new MessageForm(list, "", "", "", null, null, "now", date, "09:00", zone.getId(), onUnknown.name());
    }

    /**
     * A text part that is generated from the HTML is an empty field: what somebody sends back is what somebody wrote.
     *
     * @param undated whether its date means nothing, as that of a draft that is not to wait for a day
     */
    static MessageForm of(Message message, Bodies bodies, boolean undated) {
        LocalDateTime local = LocalDateTime.ofInstant(message.scheduledDate(), message.zone());
        return new MessageForm(
                message.list().value(),
                message.subject(),
                bodies.html(),
                Messages.textGenerated(message, bodies) ? "" : bodies.text(),
                null,
                null,
                undated ? "now" : "later",
                local.toLocalDate().toString(),
                TIME.format(local),
                message.zone().getId(),
                message.onUnknown().name());
    }

    Optional<ListName> listName() {
        return ListName.parse(or(list));
    }

    /** The HTML part: the file, or else what was typed; {@code null} when there is neither. */
    byte @Nullable [] htmlBytes() {
        return bytes(htmlFile, html);
    }

    /** The text part likewise. */
    byte @Nullable [] textBytes() {
        return bytes(textFile, text);
    }

    OnUnknown onUnknownChoice() {
        return OnUnknown.RESEND.name().equals(onUnknown) ? OnUnknown.RESEND : OnUnknown.HOLD;
    }

    /** When it is due, or empty with what is wrong beside the field. */
    Optional<Schedule> schedule(ZoneId defaultZone, Instant now, Errors errors) {
        boolean later = "later".equals(when);
        if (later && or(date).isBlank()) {
            errors.rejectValue("date", "missing", "Please choose a date, or send it now.");
            return Optional.empty();
        }
        String typed = or(time).isBlank() ? or(date).strip() : or(date).strip() + "T" + or(time).strip();
        Schedule.Read read = Schedule.read(later ? typed : null, zone, defaultZone, now);
        if (read instanceof Schedule.Read.Valid valid) {
            return Optional.of(valid.schedule());
        }
        report(((Schedule.Read.Refused) read).problem(), errors);
        return Optional.empty();
    }

    /** Puts a problem beside the field where it can be mended. */
    void report(Problem problem, Errors errors) {
        String field =
                switch (problem.field()) {
                    case "scheduledAt" -> "date";
                    case "html" -> uploaded(htmlFile) ? "htmlFile" : "html";
                    case "text" -> uploaded(textFile) ? "textFile" : "text";
                    default -> problem.field();
                };
        errors.rejectValue(field, "refused", problem.message());
    }

    /** The same with the uploaded files in the text fields, so that nothing is lost when the form is shown again. */
    MessageForm withFilesAsText() {
        return new MessageForm(
                list,
                subject,
                readable(htmlFile, html),
                readable(textFile, text),
                null,
                null,
                when,
                date,
                time,
                zone,
                onUnknown);
    }

    private static boolean uploaded(@Nullable MultipartFile file) {
        return file != null && !file.isEmpty();
    }

    private static byte @Nullable [] bytes(@Nullable MultipartFile file, @Nullable String typed) {
        if (file != null && !file.isEmpty()) {
            return content(file);
        }
        return typed == null ? null : typed.replace("\r\n", "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] content(MultipartFile file) {
        try (InputStream upload = file.getInputStream()) {
            return upload.readNBytes(MORE_THAN_ANY_BODY);
        } catch (IOException e) {
            throw new UncheckedIOException("upload broke off", e);
        }
    }

    private static @Nullable String readable(@Nullable MultipartFile file, @Nullable String typed) {
        if (file == null || file.isEmpty()) {
            return typed;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(content(file)))
                    .toString();
        } catch (CharacterCodingException notText) {
            return typed;
        }
    }

    private static String or(@Nullable String typed) {
        return typed == null ? "" : typed;
    }
}

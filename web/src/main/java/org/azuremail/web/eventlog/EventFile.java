package org.azuremail.web.eventlog;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.azuremail.eventlog.Event;
import org.azuremail.eventlog.EventLog;
import org.azuremail.eventlog.EventLog.EventFilter;
import org.azuremail.id.AsciiWord;
import org.azuremail.web.download.Download;
import org.azuremail.web.download.StreamedBody;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes events to a file, oldest first. Each event is read as it is written, so that any number takes the same memory.
 * A file has at most {@link #MAX} events and says at its end where to continue.
 */
@Component
public record EventFile(EventLog log, MessageSource texts, JsonMapper json) {

    public static final int MAX = 10_000;

    private static final MediaType TEXT = new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8);

    public enum Format {
        /** A line of JSON for each event. */
        NDJSON,
        /** A line of text for each event, followed by its indented details. */
        TEXT;

        public static Optional<Format> parse(String word) {
            return Arrays.stream(values())
                    .filter(format -> AsciiWord.of(format).equals(word))
                    .findFirst();
        }
    }

    /**
     * An event as JSON.
     *
     * @param details the whole text; {@code null} in a listing
     */
    public record Line(
            String id,
            Instant at,
            String level,
            String process,
            String source,
            String title,
            @Nullable String details) {

        public static Line of(EventLog.Entry logged, @Nullable String details) {
            Event event = logged.event();
            return new Line(
                    logged.id().replace('/', '.'),
                    event.at(),
                    event.level().word(),
                    event.process(),
                    event.source(),
                    event.title(),
                    details);
        }
    }

    public ResponseEntity<StreamedBody> answer(EventFilter filter, Format format) {
        boolean json = format == Format.NDJSON;
        String name = json ? "events.ndjson" : "events.txt";
        return Download.text(json ? MediaType.APPLICATION_NDJSON : TEXT, name, out -> write(filter, format, MAX, out));
    }

    void write(EventFilter filter, Format format, int max, Writer out) throws IOException {
        try {
            Optional<Instant> continueFrom = log.each(filter, max, entry -> write(entry, format, out));
            if (continueFrom.isPresent()) {
                out.write(
                        format == Format.NDJSON
                                ? truncationJson(continueFrom.get())
                                : truncationText(continueFrom.get()));
            }
        } catch (UncheckedIOException brokenOff) {
            throw brokenOff.getCause();
        }
    }

    private void write(EventLog.Entry entry, Format format, Writer out) {
        try {
            out.write(format == Format.NDJSON ? jsonOf(entry) : textOf(entry.event()));
        } catch (IOException brokenOff) {
            throw new UncheckedIOException(brokenOff);
        }
    }

    private String jsonOf(EventLog.Entry entry) {
        return json.writeValueAsString(Line.of(entry, entry.event().details())) + "\n";
    }

    private String truncationJson(Instant goOn) {
        return json.writeValueAsString(Map.of("cut", true, "continueFrom", goOn)) + "\n";
    }

    /** Returns an event as text. Lines of details are indented, so that they cannot be taken for another event. */
    private static String textOf(Event event) {
        String head = event.at() + " " + event.level().word() + " " + event.process() + " " + event.source() + ": "
                + event.title() + "\n";
        return event.details().isBlank()
                ? head
                : head + event.details().stripTrailing().indent(4);
    }

    private String truncationText(Instant goOn) {
        return "# " + texts.getMessage("events.file.cut", new Object[] {goOn.toString()}, Locale.ENGLISH) + "\n";
    }
}

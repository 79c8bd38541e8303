package org.azuremail.eventlog;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.id.AsciiWord;
import org.azuremail.reason.Reason;

/**
 * Something that happened in a process.
 *
 * @param at the time, by the clock of that process
 * @param process the host and process number
 * @param source the part of the program that reported it
 * @param details further information, usually a stack trace; may be empty
 */
public record Event(Instant at, EventLevel level, String process, String source, String title, String details) {

    private static final int MAX_TITLE_LENGTH = 500;
    private static final int MAX_DETAILS_LENGTH = 32_000;

    public Event {
        title = Reason.truncate(title.lines().findFirst().orElse(""), MAX_TITLE_LENGTH);
        details = Reason.truncate(details, MAX_DETAILS_LENGTH);
    }

    /**
     * Returns the content of the event's blob: header lines, an empty line and the details. A person can read it
     * without this program.
     */
    byte[] written() {
        String text = line("at", at().toString())
                + line("level", level().word())
                + line("process", process())
                + line("source", source())
                + line("title", title())
                + "\n"
                + details();
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Event read(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.indexOf("\n\n");
        Map<String, String> header = header(end < 0 ? text : text.substring(0, end));
        return new Event(
                Instant.parse(header.getOrDefault("at", Instant.EPOCH.toString())),
                EventLevel.parse(header.getOrDefault("level", "")).orElse(EventLevel.ERROR),
                header.getOrDefault("process", ""),
                header.getOrDefault("source", ""),
                header.getOrDefault("title", ""),
                end < 0 ? "" : text.substring(end + 2));
    }

    private static Map<String, String> header(String lines) {
        Map<String, String> header = new LinkedHashMap<>();
        lines.lines()
                .map(line -> line.split(": ", 2))
                .filter(field -> field.length == 2)
                .forEach(field -> header.put(field[0], field[1]));
        return header;
    }

    private static String line(String name, String value) {
        return name + ": " + value.replaceAll("\\R", " ") + "\n";
    }

    /** The severity of an event, mildest first. */
    public enum EventLevel {
        /** For information only. */
        INFO,
        /** A problem that was resolved automatically, or soon will be. */
        WARNING,
        /** A problem that an admin should check. */
        ERROR;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** @return empty if the word names no level */
        public static Optional<EventLevel> parse(String word) {
            return AsciiWord.find(EventLevel.class, EventLevel::word, word);
        }
    }
}

package org.azuremail.eventlog;

import org.azuremail.eventlog.Event.EventLevel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** An entry as its blob holds it: header lines, an empty line, the details. A person can read it without this program. */
final class EventText {

    private static final String AT = "at";
    private static final String LEVEL = "level";
    private static final String PROCESS = "process";
    private static final String SOURCE = "source";
    private static final String TITLE = "title";

    private EventText() {}

    static byte[] write(Event event) {
        String text = line(AT, event.at().toString())
                + line(LEVEL, event.level().word())
                + line(PROCESS, event.process())
                + line(SOURCE, event.source())
                + line(TITLE, event.title())
                + "\n"
                + event.details();
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Event read(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int end = text.indexOf("\n\n");
        Map<String, String> header = header(end < 0 ? text : text.substring(0, end));
        return new Event(
                Instant.parse(header.getOrDefault(AT, Instant.EPOCH.toString())),
                EventLevel.parse(header.getOrDefault(LEVEL, "")).orElse(EventLevel.ERROR),
                header.getOrDefault(PROCESS, ""),
                header.getOrDefault(SOURCE, ""),
                header.getOrDefault(TITLE, ""),
                end < 0 ? "" : text.substring(end + 2));
    }

    private static Map<String, String> header(String lines) {
        Map<String, String> header = new LinkedHashMap<>();
        lines.lines().forEach(line -> {
            int colon = line.indexOf(": ");
            if (colon > 0) {
                header.put(line.substring(0, colon), line.substring(colon + 2));
            }
        });
        return header;
    }

    private static String line(String name, String value) {
        return name + ": " + value.replaceAll("\\R", " ") + "\n";
    }
}

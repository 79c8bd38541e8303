package org.azuremail.eventlog;

import java.time.Instant;

/**
 * Something that happened in a process.
 *
 * @param at when, by the clock of that process
 * @param process its host and process number
 * @param source the part of the program that said it
 * @param title one line
 * @param details everything else that was said, a stack trace mostly; may be empty
 */
public record Event(Instant at, EventLevel level, String process, String source, String title, String details) {

    private static final int LONGEST_TITLE = 500;
    private static final int LONGEST_DETAILS = 32_000;

    public Event {
        title = cut(title.lines().findFirst().orElse(""), LONGEST_TITLE);
        details = cut(details, LONGEST_DETAILS);
    }

    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
        return text.substring(0, end);
    }
}

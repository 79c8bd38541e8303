package org.azuremail.eventlog;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name of an entry's blob: {@code yyyy/MM/dd/HH/mm/ss/<number>/<level>-<title>}, in UTC and 24 hours. A listing by
 * prefix reads a day, an hour or a second and nothing else.
 */
final class EventName {

    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("yyyy/MM/dd/HH/mm/ss/", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Pattern SHAPE = Pattern.compile(
            "\\d{4}/\\d\\d/\\d\\d/\\d\\d/\\d\\d/\\d\\d/[0-9a-z]{10}/(info|warning|error)-[a-z0-9-]{1,60}");
    private static final Pattern NOT_IN_A_TITLE = Pattern.compile("[^a-z0-9]+");
    private static final int LONGEST_TITLE = 60;
    private static final int DIGITS = 10;

    private EventName() {}

    /** @param number unique over all processes */
    static String of(Event event, long number) {
        return SECOND.format(event.at()) + padded(number) + "/" + event.level().word() + "-" + title(event.title());
    }

    static boolean isOne(String name) {
        return SHAPE.matcher(name).matches();
    }

    static Optional<EventLevel> level(String name) {
        String title = name.substring(name.lastIndexOf('/') + 1);
        return EventLevel.parse(title.substring(0, Math.max(title.indexOf('-'), 0)));
    }

    /** What all entries of an hour begin with. */
    static String hour(Instant within) {
        return SECOND.format(within.truncatedTo(ChronoUnit.HOURS)).substring(0, "yyyy/MM/dd/HH/".length());
    }

    /** What all entries of a day begin with. */
    static String day(Instant within) {
        return SECOND.format(within.truncatedTo(ChronoUnit.DAYS)).substring(0, "yyyy/MM/dd/".length());
    }

    /** When the day of an entry began. */
    static Instant dayOf(String name) {
        String day = name.substring(0, "yyyy/MM/dd".length()).replace('/', '-');
        return Instant.parse(day + "T00:00:00Z");
    }

    static Instant dayBefore(Instant day) {
        return day.minus(Duration.ofDays(1));
    }

    private static String padded(long number) {
        String digits = Long.toString(number, Character.MAX_RADIX);
        return "0".repeat(Math.max(0, DIGITS - digits.length())) + digits;
    }

    private static String title(String typed) {
        String words = NOT_IN_A_TITLE.matcher(typed.toLowerCase(Locale.ROOT)).replaceAll("-");
        String cut = words.substring(0, Math.min(words.length(), LONGEST_TITLE));
        String bare = cut.replaceAll("^-+|-+$", "");
        return bare.isEmpty() ? "untitled" : bare;
    }
}

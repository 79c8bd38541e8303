package org.azuremail.eventlog;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.azuremail.eventlog.Event.EventLevel;

/**
 * The name of an entry's blob: {@code yyyy/MM/dd/HH/mm/ss/<number>/<level>-<title>}, in UTC and 24 hours. A listing by
 * prefix reads exactly a day, an hour or a second.
 */
final class EventName {

    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("yyyy/MM/dd/HH/mm/ss/", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final Pattern SHAPE = Pattern.compile(
            "\\d{4}/\\d\\d/\\d\\d/\\d\\d/\\d\\d/\\d\\d/[0-9a-z]{10}/(info|warning|error)-[a-z0-9-]{1,60}");
    private static final Pattern NOT_IN_A_TITLE = Pattern.compile("[^a-z0-9]+");
    private static final Duration HOUR = Duration.ofHours(1);

    /** The most hours of a day that are listed one by one. */
    private static final int FEW_HOURS = 3;

    private static final int MAX_TITLE_LENGTH = 60;
    private static final int DIGITS = 10;

    private EventName() {}

    /** @param number a number that is unique over all processes */
    static String of(Event event, long number) {
        return SECOND.format(event.at()) + padded(number) + "/" + event.level().word() + "-" + title(event.title());
    }

    static boolean isOne(String name) {
        try {
            return SHAPE.matcher(name).matches() && second(name).isAfter(Instant.EPOCH);
        } catch (DateTimeException noSuchSecond) {
            return false;
        }
    }

    static Optional<EventLevel> level(String name) {
        String title = name.substring(name.lastIndexOf('/') + 1);
        return EventLevel.parse(title.substring(0, Math.max(title.indexOf('-'), 0)));
    }

    /**
     * Returns the prefixes of the names of all entries from one moment until before another, newest first. A prefix
     * denotes a day, or an hour on a day of which only a few hours are needed.
     */
    static List<String> prefixes(Instant from, Instant to) {
        List<String> prefixes = new ArrayList<>();
        Instant oldest = from.truncatedTo(ChronoUnit.HOURS);
        Instant hour = to.minusNanos(1).truncatedTo(ChronoUnit.HOURS);
        while (from.isBefore(to) && !hour.isBefore(oldest)) {
            Instant day = startOfDay(hour);
            Instant first = Collections.max(List.of(day, oldest));
            if (Duration.between(first, hour).toHours() < FEW_HOURS) {
                for (; !hour.isBefore(first); hour = hour.minus(HOUR)) {
                    prefixes.add(SECOND.format(hour).substring(0, "yyyy/MM/dd/HH/".length()));
                }
            } else {
                prefixes.add(day(day));
            }
            hour = day.minus(HOUR);
        }
        return prefixes;
    }

    /** Returns the prefix of the names of all entries of a day. */
    static String day(Instant within) {
        return SECOND.format(startOfDay(within)).substring(0, "yyyy/MM/dd/".length());
    }

    static Instant startOfDay(Instant within) {
        return within.truncatedTo(ChronoUnit.DAYS);
    }

    static Instant second(String name) {
        return SECOND.parse(name.substring(0, "yyyy/MM/dd/HH/mm/ss/".length()), Instant::from);
    }

    private static String padded(long number) {
        String digits = Long.toString(number, Character.MAX_RADIX);
        return "0".repeat(Math.max(0, DIGITS - digits.length())) + digits;
    }

    private static String title(String typed) {
        String words = NOT_IN_A_TITLE.matcher(typed.toLowerCase(Locale.ROOT)).replaceAll("-");
        String cut = words.substring(0, Math.min(words.length(), MAX_TITLE_LENGTH));
        String bare = cut.replaceAll("^-+|-+$", "");
        return bare.isEmpty() ? "untitled" : bare;
    }
}

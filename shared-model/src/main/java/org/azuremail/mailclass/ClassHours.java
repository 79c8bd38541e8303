package org.azuremail.mailclass;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;

/**
 * The hours of the day in which a class is sent, by the clock of one zone, which may have summer time. If {@code from}
 * is later than {@code until}, they span midnight. If both are equal, the class is sent at all hours.
 */
public record ClassHours(LocalTime from, LocalTime until, ZoneId zone) {

    public static final ClassHours ALWAYS = new ClassHours(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, ZoneId.of("UTC"));

    /**
     * Parses hours in the form of a setting, for example {@code 22:00-06:00}.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    static ClassHours parse(String text, ZoneId zone) {
        String[] ends = text.strip().split("\\s*-\\s*", -1);
        try {
            if (ends.length == 2) {
                return new ClassHours(LocalTime.parse(ends[0]), LocalTime.parse(ends[1]), zone);
            }
        } catch (DateTimeException unreadable) {
            // reported below
        }
        throw new IllegalArgumentException("hours are written like 22:00-06:00, not " + text);
    }

    public boolean always() {
        return from.equals(until);
    }

    /** Returns the time until the class may be sent; zero if it may be sent at this moment. */
    public Duration closedFor(Instant now) {
        ZonedDateTime here = now.atZone(zone);
        if (open(here.toLocalTime())) {
            return Duration.ZERO;
        }
        Instant opening = opening(here.toLocalDate());
        return Duration.between(
                now, opening.isAfter(now) ? opening : opening(here.toLocalDate().plusDays(1)));
    }

    /** Returns the start of the hours on a day. If the clock skips that time, it is the moment of the skip. */
    private Instant opening(LocalDate day) {
        LocalDateTime at = day.atTime(from);
        ZoneOffsetTransition skip = zone.getRules().getTransition(at);
        return skip != null && skip.isGap()
                ? skip.getInstant()
                : at.atZone(zone).toInstant();
    }

    private boolean open(LocalTime time) {
        boolean begun = !time.isBefore(from);
        boolean goesOn = time.isBefore(until);
        return from.isBefore(until) ? begun && goesOn : begun || goesOn;
    }
}

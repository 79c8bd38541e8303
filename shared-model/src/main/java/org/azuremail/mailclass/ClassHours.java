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
 * The hours of the day in which a class is sent, by the clock of one zone; from an evening to a morning where {@code from} is
 * the later one. At all hours where both are the same. A change to or from summer time moves the hours with the clock.
 */
public record ClassHours(LocalTime from, LocalTime until, ZoneId zone) {

    public static final ClassHours ALWAYS = new ClassHours(LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, ZoneId.of("UTC"));

    /**
     * Reads hours as a setting has them, for example {@code 22:00-06:00}.
     *
     * @throws IllegalArgumentException when the text is something else
     */
    static ClassHours parse(String text, ZoneId zone) {
        String[] ends = text.strip().split("\\s*-\\s*", -1);
        try {
            if (ends.length == 2) {
                return new ClassHours(LocalTime.parse(ends[0]), LocalTime.parse(ends[1]), zone);
            }
        } catch (DateTimeException unreadable) {
            // said below
        }
        throw new IllegalArgumentException("hours are written like 22:00-06:00, not " + text);
    }

    public boolean always() {
        return from.equals(until);
    }

    /** Returns how long the class still waits; zero when it is sent at this moment. */
    public Duration closedFor(Instant now) {
        ZonedDateTime here = now.atZone(zone);
        if (always() || open(here.toLocalTime())) {
            return Duration.ZERO;
        }
        Instant opening = opening(here.toLocalDate());
        return Duration.between(
                now, opening.isAfter(now) ? opening : opening(here.toLocalDate().plusDays(1)));
    }

    /** A time that the clock skips on this day is the moment of the skip. */
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

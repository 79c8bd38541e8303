package org.azuremail.message;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The time when a message is due, and the zone in which it was typed. A date without time means 00:00 in the zone; a
 * local time that daylight saving skips moves forward.
 */
public record Schedule(Instant due, ZoneId zone) {

    /** The longest time that a date may lie in the past; a message with such a date is sent at once. */
    public static final Duration MAX_PAST = Duration.ofHours(24);

    /** The storage keeps no later year than 9999; in zones east of UTC, the year 10000 begins half a day before. */
    private static final Instant END = Instant.parse("9999-12-31T00:00:00Z");

    public sealed interface ParseResult {

        /** The date names an instant. */
        record Valid(Schedule schedule) implements ParseResult {}

        /** The date does not name an instant, for the reason. */
        record Refused(Problem problem) implements ParseResult {}
    }

    /**
     * Returns a saved schedule. Another machine, whose Java has newer time zone data, may have saved a zone that is not
     * known here, such as {@code Europe/Kyiv}. The date is shown in UTC then, and is still the same.
     */
    static Schedule saved(Instant due, String zone) {
        try {
            return new Schedule(due, ZoneId.of(zone));
        } catch (DateTimeException notKnownHere) {
            return new Schedule(due, ZoneId.of("UTC"));
        }
    }

    /**
     * Reads a date.
     *
     * @param date {@code 2026-12-24}, {@code 2026-12-24T18:00} or with an offset, {@code 2026-12-24T18:00:00+01:00},
     *     before the last day of the year 9999; {@code null} or blank means now
     * @param zone an id of the time zone database; {@code null} or blank means the default, unless the date needs none
     */
    public static ParseResult read(@Nullable String date, @Nullable String zone, ZoneId defaultZone, Instant now) {
        ZoneId in;
        try {
            in = zone == null || zone.isBlank() ? defaultZone : ZoneId.of(zone.strip());
        } catch (DateTimeException e) {
            return refused("zone", ScheduleFault.ZONE_UNKNOWN, zone);
        }
        if (date == null || date.isBlank()) {
            return new ParseResult.Valid(new Schedule(now, in));
        }
        Instant due;
        try {
            due = instant(date.strip(), in);
        } catch (DateTimeException e) {
            return refused("scheduledAt", ScheduleFault.DATE_UNREADABLE, date);
        }
        if (!due.isBefore(END)) {
            return refused("scheduledAt", ScheduleFault.DATE_UNREADABLE, date);
        }
        if (due.isBefore(now.minus(MAX_PAST))) {
            return refused("scheduledAt", ScheduleFault.DATE_PAST);
        }
        return new ParseResult.Valid(new Schedule(due, in));
    }

    /** Returns whether a valid date names an instant only together with a zone. */
    public static boolean isLocal(String date) {
        return date.strip().length() <= 10 || !hasOffset(date.strip());
    }

    public LocalDateTime local() {
        return LocalDateTime.ofInstant(due, zone);
    }

    /**
     * Returns whether this is the time that a page shows for another schedule, in minutes of local time. The other one
     * may have seconds, or be the second of two equal times when the clocks go back.
     */
    public boolean showsSameTime(Schedule other) {
        return zone.equals(other.zone) && local().equals(other.local().truncatedTo(ChronoUnit.MINUTES));
    }

    private static Instant instant(String date, ZoneId zone) {
        if (date.length() <= 10) {
            return LocalDate.parse(date).atStartOfDay(zone).toInstant();
        }
        String iso = date.replace(' ', 'T');
        if (hasOffset(iso)) {
            return OffsetDateTime.parse(iso).toInstant();
        }
        return ZonedDateTime.of(LocalDateTime.parse(iso), zone).toInstant();
    }

    private static boolean hasOffset(String date) {
        return date.matches(".*(Z|[+-][0-9]{2}:?[0-9]{2})$");
    }

    private static ParseResult refused(String field, Reason.Code fault, Object... values) {
        return new ParseResult.Refused(new Problem(field, fault, values));
    }
}

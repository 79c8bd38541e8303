package org.azuremail.web.layout;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.azuremail.reason.Reason;
import org.springframework.context.support.MessageSourceAccessor;

/** Shows moments, relative to now or exactly, in the time zone of the installation. */
public record Moments(ZoneId zone, Instant now, MessageSourceAccessor texts) {

    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("d MMM yyyy", Locale.ENGLISH);
    private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter TO_THE_SECOND =
            DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm:ss '('VV')'", Locale.ENGLISH);
    private static final DateTimeFormatter WITH_ZONE =
            DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm '('VV')'", Locale.ENGLISH);

    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter SECOND = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ENGLISH);

    public int year() {
        return now.atZone(zone).getYear();
    }

    public String day(LocalDate day) {
        return DAY.format(day);
    }

    /**
     * Returns the time relative to now within a week, otherwise the day: <em>5 minutes ago</em>, <em>in 3 hours</em>,
     * <em>2 Nov 2026</em>.
     */
    public String relative(Instant moment) {
        Duration away = Duration.between(moment, now);
        Duration size = away.abs();
        String side = away.isNegative() ? "time.in-" : "time.ago-";
        if (size.compareTo(Duration.ofMinutes(1)) < 0) {
            return text(away.isNegative() ? "time.soon" : "time.now");
        }
        if (size.compareTo(Duration.ofHours(1)) < 0) {
            return text(side + "minutes", size.toMinutes());
        }
        if (size.compareTo(Duration.ofDays(1)) < 0) {
            return text(side + "hours", size.toHours());
        }
        return size.compareTo(Duration.ofDays(7)) < 0
                ? text(side + "days", size.toDays())
                : DAY.format(moment.atZone(zone));
    }

    /** Returns the value of the attribute {@code datetime} of a {@code <time>}, to the second. */
    public String iso(Instant moment) {
        return moment.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Returns the date and time to the minute, with the name of the zone. */
    public String named(Instant moment) {
        return named(moment, zone);
    }

    public static String named(Instant moment, ZoneId zone) {
        return WITH_ZONE.format(moment.atZone(zone));
    }

    /** Returns the date and time to the second, with the name of the zone, for moments less than a few minutes away. */
    public String exactly(Instant moment) {
        return TO_THE_SECOND.format(moment.atZone(zone));
    }

    public String clock(Instant moment) {
        return CLOCK.format(moment.atZone(zone));
    }

    public String second(Instant moment) {
        return SECOND.format(moment.atZone(zone));
    }

    /** Returns the date and time to the minute. */
    public String show(Instant moment) {
        return SHOWN.format(moment.atZone(zone));
    }

    /** Returns a local date and time to the minute. */
    public static String local(LocalDateTime time) {
        return SHOWN.format(time);
    }

    /** Returns a reason in words, with the times in it. */
    public String words(Reason reason) {
        return reason.words(zone);
    }

    public String words(List<Reason> reasons) {
        return reasons.stream().map(this::words).collect(Collectors.joining(" "));
    }

    /**
     * Returns the date and time with the zone and, if the zone in which it was chosen has another offset, in both
     * zones.
     */
    public String show(Instant moment, ZoneId chosenIn) {
        if (zone.getRules().getOffset(moment).equals(chosenIn.getRules().getOffset(moment))) {
            return named(moment);
        }
        ZonedDateTime existing = moment.atZone(chosenIn);
        ZonedDateTime here = moment.atZone(zone);
        boolean sameDay = here.toLocalDate().equals(existing.toLocalDate());
        return text(
                "time.chosen-in",
                SHOWN.format(existing),
                place(chosenIn),
                sameDay ? CLOCK.format(here) : SHOWN.format(here),
                zone.getId());
    }

    /** Returns the city of a zone: {@code New York} for {@code America/New_York}. */
    private static String place(ZoneId zone) {
        String id = zone.getId();
        return id.substring(id.lastIndexOf('/') + 1).replace('_', ' ');
    }

    private String text(String code, Object... values) {
        return texts.getMessage(code, values);
    }
}

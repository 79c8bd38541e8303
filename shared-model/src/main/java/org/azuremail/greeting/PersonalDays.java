package org.azuremail.greeting;

import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.azuremail.field.FieldType;
import org.azuremail.greeting.BirthdayProperties.LeapDay;
import org.azuremail.message.Occasion;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Subscriber;

/** The days of people's occasions, in the time zone of the installation. */
record PersonalDays(ZoneId zone, LeapDay leapDay) {

    /**
     * The kinds of declarations that can show the day of joining. The first one counts, even for people who came back
     * later.
     */
    private static final Set<Declaration.Kind> JOINING = EnumSet.of(
            Declaration.Kind.CONFIRMED,
            Declaration.Kind.JOINED,
            Declaration.Kind.VERIFIED_BY_ADMIN,
            Declaration.Kind.IMPORTED_VERIFIED);

    /** Returns the person's day within the run, if any. */
    Optional<LocalDate> findDay(Occasion occasion, Subscriber subscriber) {
        return switch (occasion.kind()) {
            case BIRTHDAY -> birthday(occasion, subscriber);
            case WELCOME, AFTER_JOINING ->
                joined(occasion, subscriber)
                        .filter(at -> !at.isBefore(occasion.joinedSince()))
                        .map(at -> day(at).plusDays(occasion.days()))
                        .filter(day -> !day.isBefore(occasion.from()) && !day.isAfter(occasion.to()));
            case ANNIVERSARY ->
                joined(occasion, subscriber).map(this::day).flatMap(day -> yearly(occasion, MonthDay.from(day))
                        .filter(day::isBefore));
        };
    }

    private Optional<LocalDate> birthday(Occasion occasion, Subscriber subscriber) {
        String value = subscriber.profile().attributes().getOrDefault(occasion.field(), "");
        return value.isEmpty() ? Optional.empty() : FieldType.monthDay(value).flatMap(day -> yearly(occasion, day));
    }

    private Optional<LocalDate> yearly(Occasion occasion, MonthDay day) {
        return occasion.from()
                .datesUntil(occasion.to().plusDays(1))
                .filter(on -> leapDay.fallsOn(day, on))
                .findFirst();
    }

    /**
     * Returns the instant of joining. Unless they moved, people did not join before their row was created, so most
     * consents need not be parsed.
     */
    private Optional<Instant> joined(Occasion occasion, Subscriber subscriber) {
        Instant made = subscriber.createdAt();
        if (day(made).isAfter(occasion.to()) && subscriber.arrivedFrom().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(subscriber.consent().declarations().stream()
                .filter(one -> JOINING.contains(one.kind()))
                .map(Declaration::at)
                .min(Instant::compareTo)
                .orElse(made));
    }

    private LocalDate day(Instant at) {
        return LocalDate.ofInstant(at, zone);
    }
}

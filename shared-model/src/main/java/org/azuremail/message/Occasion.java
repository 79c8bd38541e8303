package org.azuremail.message;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

/**
 * The occasion of a message to some people of a list: one run of a greeting, to everyone whose day is in the run and
 * who was not greeted yet.
 *
 * @param greeting its id: upper and lower case letters and digits
 * @param field the field with the birthday; for a welcome, the milliseconds of the earliest instant of joining if the
 *     first day does not count as a whole; empty for other kinds
 * @param days after joining; 0 for other kinds
 * @param from the first day of the run
 * @param to its last day, included
 */
public record Occasion(String greeting, Kind kind, String field, int days, LocalDate from, LocalDate to) {

    /** Returns the instant since when people are welcomed, within the days of the run. */
    public Instant joinedSince() {
        return kind == Kind.WELCOME && !field.isEmpty() ? Instant.ofEpochMilli(Long.parseLong(field)) : Instant.MIN;
    }

    /** The ways to find a person's day. Rows contain these names. */
    public enum Kind {
        BIRTHDAY,
        WELCOME,
        ANNIVERSARY,
        AFTER_JOINING;

        /** Returns whether the day recurs every year. */
        public boolean yearly() {
            return this == BIRTHDAY || this == ANNIVERSARY;
        }
    }

    /**
     * Returns the stored form, which contains only characters that names of lists or segments may contain, and commas.
     */
    String stored() {
        return String.join(",", greeting, kind.name(), field, Integer.toString(days), from.toString(), to.toString());
    }

    static Optional<Occasion> parse(String stored) {
        String[] parts = stored.split(",", -1);
        try {
            return parts.length != 6
                    ? Optional.empty()
                    : Optional.of(new Occasion(
                            parts[0],
                            Kind.valueOf(parts[1]),
                            parts[2],
                            Integer.parseInt(parts[3]),
                            LocalDate.parse(parts[4]),
                            LocalDate.parse(parts[5])));
        } catch (IllegalArgumentException | DateTimeException none) {
            return Optional.empty();
        }
    }
}

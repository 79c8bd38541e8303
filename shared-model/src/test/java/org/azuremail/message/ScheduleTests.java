package org.azuremail.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A49: dates, times and zones as admins type them. */
class ScheduleTests {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "2026-12-24, Europe/Berlin, 2026-12-23T23:00:00Z",
        "2026-12-24T18:00, Europe/Berlin, 2026-12-24T17:00:00Z",
        "2026-12-24 18:00, UTC, 2026-12-24T18:00:00Z",
        "2026-12-24T18:00:00+02:00, , 2026-12-24T16:00:00Z",
        "2026-12-24T18:00:00Z, Europe/Berlin, 2026-12-24T18:00:00Z",
        "2027-03-28T02:30, Europe/Berlin, 2027-03-28T01:30:00Z",
        "2026-11-20T12:00:01Z, , 2026-11-20T12:00:01Z",
        "9999-12-30T23:59:59Z, Pacific/Kiritimati, 9999-12-30T23:59:59Z"
    })
    void a49_aDateNamesAnInstant(String date, String zone, Instant due) {
        assertThat(Schedule.read(date, zone, ZoneOffset.UTC, NOW))
                .isInstanceOfSatisfying(
                        Schedule.ParseResult.Valid.class,
                        valid -> assertThat(valid.schedule().due()).isEqualTo(due));
    }

    @Test
    void a49_noDateMeansNow() {
        assertThat(Schedule.read(" ", null, ZoneId.of("Asia/Tokyo"), NOW))
                .isEqualTo(new Schedule.ParseResult.Valid(new Schedule(NOW, ZoneId.of("Asia/Tokyo"))));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-11-20T11:59:59Z, UTC, scheduledAt, 24 hours",
        "yesterday, UTC, scheduledAt, Enter a date",
        "2026-02-30, UTC, scheduledAt, Enter a date",
        "+999999999-12-31T23:59:59Z, UTC, scheduledAt, Enter a date",
        "9999-12-31T23:59:59, America/New_York, scheduledAt, Enter a date",
        "9999-12-31T00:00:00Z, UTC, scheduledAt, Enter a date",
        "2026-12-24, Mars/Olympus, zone, no time zone"
    })
    void a49_impossibleDatesAreRefusedAtTheirField(String date, String zone, String field, String message) {
        assertThat(Schedule.read(date, zone, ZoneOffset.UTC, NOW))
                .isInstanceOfSatisfying(Schedule.ParseResult.Refused.class, refused -> {
                    assertThat(refused.problem().field()).isEqualTo(field);
                    assertThat(refused.problem().message()).contains(message);
                });
    }
}

package org.azuremail.mailclass;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClassHoursTest {

    @ParameterizedTest
    @CsvSource({
        "22:00-06:00, UTC, 2026-11-23T12:00:00Z, PT10H",
        "22:00-06:00, UTC, 2026-11-23T22:00:00Z, PT0S",
        "22:00-06:00, UTC, 2026-11-24T05:59:59Z, PT0S",
        "22:00-06:00, UTC, 2026-11-24T06:00:00Z, PT16H",
        "22:00-06:00, Europe/Berlin, 2026-11-23T20:30:00Z, PT30M",
        "09:00-17:00, UTC, 2026-11-23T08:00:00Z, PT1H",
        "09:00-17:00, UTC, 2026-11-23T17:00:00Z, PT16H",
        "00:00-00:00, UTC, 2026-11-23T17:00:00Z, PT0S",
    })
    void aClassWaitsUntilItsHoursBegin(String hours, ZoneId zone, Instant now, Duration wait) {
        assertThat(ClassHours.parse(hours, zone).closedFor(now)).isEqualTo(wait);
    }

    /** In Berlin, half past two does not exist on 28 March 2027, and occurs twice on 31 October. */
    @ParameterizedTest
    @CsvSource({
        "2027-03-28T00:30:00Z, PT30M",
        "2027-03-28T01:00:00Z, PT0S",
        "2027-10-31T00:00:00Z, PT30M",
        "2027-10-31T01:30:00Z, PT0S",
    })
    void summerTimeMovesTheHours(Instant now, Duration wait) {
        assertThat(ClassHours.parse("02:30-04:00", ZoneId.of("Europe/Berlin")).closedFor(now))
                .isEqualTo(wait);
    }
}

package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import org.azuremail.message.Occasion;
import org.junit.jupiter.api.Test;

/** Checks day after day that each person is greeted once a year. */
class GreetingYearsIT extends OnGreetings {

    @Test
    void everyYearOnceAndOn29FebruaryOn28FebruaryInCommonYears() {
        world.time.advance(Duration.between(world.time.instant(), Instant.parse("2027-02-20T10:00:00Z")));
        person("leap", LocalDate.of(2000, 2, 29));
        person("next", LocalDate.of(2000, 3, 1));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        days(8);
        assertThat(greeted()).as("28 February 2027").isEqualTo(Map.of("leap", 1));
        days(366);
        assertThat(greeted()).as("29 February 2028").isEqualTo(Map.of("leap", 2, "next", 1));
        days(2);
        assertThat(greeted()).as("1 March 2028").isEqualTo(Map.of("leap", 2, "next", 2));
    }

    @Test
    void overNewYearTheYearIsTheOneOfTheDay() {
        world.time.advance(Duration.between(world.time.instant(), Instant.parse("2026-12-31T10:00:00Z")));
        person("old", LocalDate.of(2000, 12, 31));
        greeting(Occasion.Kind.BIRTHDAY, 0);
        send();
        days(3);
        assertThat(greeted()).isEqualTo(Map.of("old", 1));
        days(363);
        assertThat(greeted()).isEqualTo(Map.of("old", 2));
    }

    @Test
    void anAnniversaryComesEveryYearAndNotOnTheDayOfJoining() {
        greeting(Occasion.Kind.ANNIVERSARY, 0);
        person("ann", today());
        send();
        days(364);
        assertThat(greeted()).isEmpty();
        days(1);
        assertThat(greeted()).isEqualTo(Map.of("ann", 1));
    }
}

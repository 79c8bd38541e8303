package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

class DueTimesTest {

    private static final Duration REST = Duration.ofHours(1);

    private final ManualTime time = new ManualTime();
    private final DueTimes appointments = new DueTimes(time);

    @Test
    void theNextOneEndsTheRestAndThePastOnesAreForgotten() {
        appointments.add(Duration.ofSeconds(30));
        appointments.add(Duration.ofSeconds(10));
        assertThat(appointments.within(REST)).isEqualTo(Duration.ofSeconds(10));

        time.advance(Duration.ofSeconds(10));
        assertThat(appointments.within(REST)).isEqualTo(Duration.ofSeconds(20));
        assertThat(appointments.within(Duration.ofSeconds(5))).isEqualTo(Duration.ofSeconds(5));

        time.advance(Duration.ofSeconds(20));
        assertThat(appointments.within(REST)).isEqualTo(REST);
    }

    @Test
    void anEarlierOneCountsThoughThereAreAsManyAsAreKept() {
        for (int i = 0; i < 5000; i++) {
            appointments.add(Duration.ofMinutes(30).plusMillis(i));
        }
        appointments.add(Duration.ofSeconds(1));

        assertThat(appointments.within(REST)).isEqualTo(Duration.ofSeconds(1));
    }
}

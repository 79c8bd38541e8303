package org.azuremail.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.azuremail.operations.LastHour.Count;
import org.azuremail.operations.LastHour.Growth;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

class LastHourTest {

    private final ManualTime time = new ManualTime();
    private final Map<String, Long> totals = new HashMap<>();
    private final LastHour hour = new LastHour(time, () -> Map.copyOf(totals));

    @Test
    void aYoungProcessKnowsItsLifeOnly() {
        totals.put("a", 3L);
        time.advance(Duration.ofSeconds(10));

        assertThat(hour.growth()).isEqualTo(new Growth(Duration.ofSeconds(10), Map.of("a", new Count(3, 3))));
    }

    @Test
    void countsOlderThanAnHourAreForgotten() {
        for (int minute = 0; minute < 300; minute++) {
            time.advance(Duration.ofMinutes(1));
            totals.merge("a", 2L, Long::sum);
            hour.growth();
        }

        assertThat(hour.growth()).isEqualTo(new Growth(Duration.ofHours(1), Map.of("a", new Count(120, 600))));
    }

    @Test
    void aCountThatBeginsLaterBeginsAtZero() {
        time.advance(Duration.ofMinutes(10));
        hour.growth();
        totals.put("new", 5L);

        assertThat(hour.growth().counts()).isEqualTo(Map.of("new", new Count(5, 5)));
    }

    @Test
    void nothingIsLostOfAnHourWhenNobodyAsksForLong() {
        totals.put("a", 1L);
        time.advance(Duration.ofMinutes(50));
        hour.growth();
        totals.put("a", 4L);
        time.advance(Duration.ofMinutes(50));

        assertThat(hour.growth()).isEqualTo(new Growth(Duration.ofMinutes(100), Map.of("a", new Count(4, 4))));
        time.advance(Duration.ofMinutes(10));
        assertThat(hour.growth()).isEqualTo(new Growth(Duration.ofMinutes(60), Map.of("a", new Count(3, 4))));
    }

    @Test
    void askingAllTheTimeCostsNoMemory() {
        for (int n = 0; n < 10_000; n++) {
            time.advance(Duration.ofSeconds(1));
            totals.merge("a", 1L, Long::sum);
            Growth growth = hour.growth();
            assertThat(growth.span()).isLessThanOrEqualTo(Duration.ofMinutes(61));
        }
        assertThat(hour.samples()).isLessThanOrEqualTo(62);
    }
}

package org.azuremail.work.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PollingCurveTest {

    private static final Duration LONG = Duration.ofDays(1);

    @Test
    @DisplayName("Q4: the first five idle waits lie in 0, 80-120, 240-360, 560-840 and 1200-1800 ms")
    void q4_theWaitsFollowTheCurve() {
        assertThat(fiveWaits(new PollingCurve(LONG, () -> 0.0))).containsExactly(0, 80, 240, 560, 1200);
        assertThat(fiveWaits(new PollingCurve(LONG, () -> 1.0))).containsExactly(0, 120, 360, 840, 1800);
    }

    @Test
    @DisplayName("Q4: any item takes the curve back to its beginning")
    void q4_anItemResetsIt() {
        PollingCurve curve = new PollingCurve(LONG, () -> 0.5);
        fiveWaits(curve);

        curve.reset();

        assertThat(fiveWaits(curve)).containsExactly(0, 100, 300, 700, 1500);
    }

    @Test
    void itNeverRestsLongerThanTheMaximum() {
        PollingCurve curve = new PollingCurve(Duration.ofSeconds(10), () -> 1.0);
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 200; i++) {
            Duration next = curve.next();
            assertThat(next).isGreaterThanOrEqualTo(longest);
            longest = next;
        }
        assertThat(longest).isEqualTo(Duration.ofSeconds(10));
    }

    private static long[] fiveWaits(PollingCurve curve) {
        long[] waits = new long[5];
        for (int i = 0; i < 5; i++) {
            waits[i] = Math.round(curve.next().toNanos() / 1e6);
        }
        return waits;
    }
}

package org.azuremail.work.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks runs that a signal requests before the interval is over. */
class SignalledRunnerTest extends OnScheduledRunners {

    @Test
    @DisplayName("A signal runs it at once, and a burst of them twice a second at most where a run takes long")
    void signalsRunItSoonButNotWithoutPause() {
        Chime chime = new Chime(Duration.ofMinutes(1));
        chime.during = () -> shop.time.advance(Duration.ofMillis(100));
        LeasedRunner runner = new LeasedRunner(shop.runtime, chime);
        runner.runOnce();
        shop.time.advance(Duration.ofSeconds(5));

        runner.runSoon();
        assertThat(runs).hasSize(2);

        signalEachMillisecondFor(runner, Duration.ofSeconds(1));
        assertThat(runs).hasSize(4);
    }

    @Test
    void shortRunsFollowEachOtherFasterWhenSignalsComeAndTakeAFifthOfTheTimeAtMost() {
        Chime chime = new Chime(Duration.ofMinutes(1));
        chime.during = () -> shop.time.advance(Duration.ofMillis(20));
        LeasedRunner runner = new LeasedRunner(shop.runtime, chime);
        runner.runOnce();

        signalEachMillisecondFor(runner, Duration.ofSeconds(1));
        assertThat(runs).hasSize(1 + 10);

        chime.during = () -> {};
        runner.runSoon();
        int before = runs.size();
        signalEachMillisecondFor(runner, Duration.ofSeconds(1));
        assertThat(runs).hasSizeBetween(before + 18, before + 20);
    }

    @Test
    void aSignalThatCameTooEarlyIsNotForgotten() {
        LeasedRunner runner = new LeasedRunner(shop.runtime, new Chime(Duration.ofMinutes(1)));
        runner.runOnce();

        Duration rest = runner.runSoon();
        assertThat(runs).hasSize(1);
        assertThat(rest).isEqualTo(SignalledPace.MIN_BETWEEN);
        shop.time.advance(rest);
        runner.runOnce();

        assertThat(runs).hasSize(2);
    }

    private void signalEachMillisecondFor(LeasedRunner runner, Duration lasts) {
        Duration end = shop.time.elapsed().plus(lasts);
        while (shop.time.elapsed().compareTo(end) < 0) {
            shop.time.advance(Duration.ofMillis(1));
            runner.runSoon();
        }
    }
}

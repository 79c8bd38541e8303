package org.azuremail.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduledRunnerTest {

    private static final Duration A_MINUTE = Duration.ofMinutes(1);

    private final Workshop shop = new Workshop();
    private final List<Instant> runs = new ArrayList<>();

    private final class Chime implements ScheduledService {

        private Duration interval;
        private Runnable during = () -> {};
        private boolean active;

        Chime(Duration interval) {
            this.interval = interval;
        }

        @Override
        public String name() {
            return "chime";
        }

        @Override
        public Duration interval() {
            return interval;
        }

        @Override
        public void run() {
            runs.add(shop.time.instant());
            during.run();
        }

        @Override
        public boolean active() {
            return active;
        }
    }

    /** Every process looks again and again, whatever it was told. */
    private void run(List<ScheduledRunner> processes, Duration duration, ManualTime... clocks) {
        Duration tick = duration.compareTo(Duration.ofMinutes(10)) < 0 ? Duration.ofMillis(100) : Duration.ofSeconds(2);
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(tick)) {
            processes.forEach(ScheduledRunner::runOnce);
            shop.time.advance(tick);
            for (ManualTime clock : clocks) {
                clock.advance(tick);
            }
        }
    }

    private List<ScheduledRunner> processes(int count, Duration grace, ScheduledService service) {
        List<ScheduledRunner> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            processes.add(shop.process(shop.time, grace, i).runner(service));
        }
        return processes;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    @DisplayName("K13: any number of processes run it 60 times a minute, never two at a time")
    void k13_onceASecondOverAllProcesses(int count) {
        Chime chime = new Chime(Duration.ofSeconds(1));
        List<ScheduledRunner> processes = processes(count, Duration.ZERO, chime);
        boolean[] running = {false};
        chime.during = () -> {
            assertThat(running[0]).isFalse();
            running[0] = true;
            processes.subList(1, count).forEach(ScheduledRunner::runOnce);
            running[0] = false;
        };

        run(processes, A_MINUTE);

        assertThat(runs).hasSizeBetween(59, 61);
        assertIntervalsAtLeast(Duration.ofSeconds(1));
    }

    @Test
    @DisplayName("K13: a run that takes longer than its lease is alone all the same")
    void k13_aLongRunStaysAlone() {
        Chime chime = new Chime(Duration.ofSeconds(1));
        Chime others = new Chime(Duration.ofSeconds(1));
        ScheduledRunner other = shop.process(shop.time, Duration.ZERO, 9).runner(others);
        int[] otherRuns = {0};
        others.during = () -> otherRuns[0]++;
        chime.during = () -> {
            for (int second = 0; second < 300; second++) {
                shop.time.advance(Duration.ofSeconds(1));
                shop.runtime.renew();
                other.runOnce();
            }
        };

        shop.runtime.runner(chime).runOnce();

        assertThat(otherRuns[0]).isZero();
        assertThat(runs).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"0, 30", "60, 90"})
    @DisplayName("K13, L-11: the runner dies, and another takes over when the lease has ended, not before")
    void l11_theNextProcessTakesOver(int graceSeconds, int endsAfterSeconds) {
        Duration grace = Duration.ofSeconds(graceSeconds);
        Chime chime = new Chime(Duration.ofSeconds(10));
        chime.during = () -> {
            throw new ProcessDied();
        };
        ScheduledRunner dying = shop.process(shop.time, grace, 1).runner(chime);
        assertThatThrownBy(dying::runOnce).isInstanceOf(ProcessDied.class);
        chime.during = () -> {};
        ScheduledRunner next = shop.process(shop.time, grace, 2).runner(chime);

        run(List.of(next), Duration.ofSeconds(endsAfterSeconds));
        assertThat(runs).hasSize(1);
        run(List.of(next), Duration.ofSeconds(11));

        assertThat(runs).hasSizeBetween(2, 3);
        assertIntervalsAtLeast(Duration.ofSeconds(10));
    }

    @Test
    @DisplayName("L-11: an interval that is changed during a run holds from the next run on")
    void l11_aChangedIntervalIsKept() {
        Chime chime = new Chime(Duration.ofSeconds(10));
        chime.during = () -> chime.interval = Duration.ofSeconds(40);
        List<ScheduledRunner> processes = processes(2, Duration.ZERO, chime);

        run(processes, Duration.ofSeconds(81));

        assertThat(runs)
                .containsExactly(ManualTime.START, ManualTime.START.plusSeconds(40), ManualTime.START.plusSeconds(80));
    }

    @ParameterizedTest
    @CsvSource({"1, 60", "30, 600", "3600, 18000"})
    @DisplayName("L-12: with clocks a minute apart there is still one run per interval")
    void l12_clocksAMinuteApart(int intervalSeconds, int seconds) {
        Duration interval = Duration.ofSeconds(intervalSeconds);
        Chime chime = new Chime(interval);
        ManualTime ahead = ManualTime.at(ManualTime.START.plusSeconds(60));
        ManualTime behind = ManualTime.at(ManualTime.START.minusSeconds(60));
        List<ScheduledRunner> processes = List.of(
                shop.process(shop.time, A_MINUTE, 1).runner(chime),
                shop.process(ahead, A_MINUTE, 2).runner(chime),
                shop.process(behind, A_MINUTE, 3).runner(chime));

        run(processes, Duration.ofSeconds(seconds), ahead, behind);

        int expected = seconds / intervalSeconds;
        assertThat(runs).hasSizeBetween(expected - 1, expected + 1);
        assertIntervalsAtLeast(interval);
    }

    @ParameterizedTest
    @ValueSource(longs = {60, -60})
    @DisplayName("L-12: a process that takes over with another clock runs neither early nor much too late")
    void l12_takeOverWithAnotherClock(long seconds) {
        Chime chime = new Chime(Duration.ofHours(1));
        ManualTime skewed = ManualTime.at(ManualTime.START.plusSeconds(seconds));
        shop.process(shop.time, A_MINUTE, 1).runner(chime).runOnce();
        ScheduledRunner next = shop.process(skewed, A_MINUTE, 2).runner(chime);

        run(List.of(next), Duration.ofMinutes(63), skewed);

        assertThat(runs).hasSize(2);
        assertIntervalsAtLeast(Duration.ofHours(1));
    }

    @Test
    void aRestartedProcessDoesNotRunAgainBeforeTheInterval() {
        Chime chime = new Chime(Duration.ofHours(6));
        for (int restart = 0; restart < 12; restart++) {
            ScheduledRunner runner =
                    shop.process(shop.time, Duration.ZERO, restart).runner(chime);
            runner.runOnce();
            runner.release();
            shop.time.advance(Duration.ofHours(1));
        }

        assertThat(runs).hasSize(2);
    }

    @Test
    void aReleasedServiceIsTakenOverAtOnce() {
        Chime chime = new Chime(Duration.ofSeconds(10));
        List<ScheduledRunner> processes = processes(2, Duration.ZERO, chime);
        run(processes, Duration.ofSeconds(5));
        processes.get(0).release();

        run(processes.subList(1, 2), Duration.ofSeconds(6));

        assertThat(runs).hasSize(2);
    }

    @Test
    @DisplayName("A signal runs it at once, and a burst of them twice a second at most where a run takes long")
    void signalsRunItSoonButNotWithoutPause() {
        Chime chime = new Chime(Duration.ofMinutes(1));
        chime.during = () -> shop.time.advance(Duration.ofMillis(100));
        ScheduledRunner runner = shop.runtime.runner(chime);
        runner.runOnce();
        shop.time.advance(Duration.ofSeconds(5));

        runner.runSoon();
        assertThat(runs).hasSize(2);

        signalEachMillisecondFor(runner, Duration.ofSeconds(1));
        assertThat(runs).hasSize(4);
    }

    @Test
    void shortRunsFollowEachOtherFasterWhenSignalsComeAndTakeATwentiethOfTheTimeAtMost() {
        Chime chime = new Chime(Duration.ofMinutes(1));
        chime.during = () -> shop.time.advance(Duration.ofMillis(5));
        ScheduledRunner runner = shop.runtime.runner(chime);
        runner.runOnce();

        signalEachMillisecondFor(runner, Duration.ofSeconds(1));
        assertThat(runs).hasSize(1 + 10);

        chime.during = () -> {};
        runner.runSoon();
        int before = runs.size();
        signalEachMillisecondFor(runner, Duration.ofSeconds(1));
        assertThat(runs).hasSizeBetween(before + 18, before + 20);
    }

    private void signalEachMillisecondFor(ScheduledRunner runner, Duration lasts) {
        Duration end = shop.time.elapsed().plus(lasts);
        while (shop.time.elapsed().compareTo(end) < 0) {
            shop.time.advance(Duration.ofMillis(1));
            runner.runSoon();
        }
    }

    @Test
    void aSignalThatCameTooEarlyIsNotForgotten() {
        ScheduledRunner runner = shop.runtime.runner(new Chime(Duration.ofMinutes(1)));
        runner.runOnce();

        Duration rest = runner.runSoon();
        assertThat(runs).hasSize(1);
        assertThat(rest).isEqualTo(SignalledPace.SHORTEST);
        shop.time.advance(rest);
        runner.runOnce();

        assertThat(runs).hasSize(2);
    }

    @Test
    void aThrowDoesNotEndTheSchedule() {
        Chime chime = new Chime(Duration.ofSeconds(10));
        chime.during = () -> {
            throw new IllegalStateException("broken");
        };

        run(processes(1, Duration.ZERO, chime), Duration.ofSeconds(30));

        assertThat(runs).hasSize(3);
    }

    @Test
    void whoIsActiveHasAShortLeaseSoThatAnotherSoonTakesOver() {
        Chime chime = new Chime(A_MINUTE);
        chime.active = true;
        shop.process(shop.time, A_MINUTE, 1).runner(chime).runOnce();
        ScheduledRunner next = shop.process(shop.time, A_MINUTE, 2).runner(chime);

        run(List.of(next), Duration.ofSeconds(121));

        assertThat(runs).hasSize(2);
    }

    @Test
    @DisplayName("L-11: who dies in a run that a signal asked for is replaced as soon as who dies at work")
    void l11_whoDiesWithWhatASignalSpokeOfIsSoonReplaced() {
        Chime chime = new Chime(A_MINUTE);
        ScheduledRunner dying = shop.process(shop.time, A_MINUTE, 1).runner(chime);
        dying.runOnce();
        run(List.of(dying), Duration.ofSeconds(30));
        chime.during = () -> {
            throw new ProcessDied();
        };
        assertThatThrownBy(dying::runSoon).isInstanceOf(ProcessDied.class);
        chime.during = () -> {};
        ScheduledRunner next = shop.process(shop.time, A_MINUTE, 2).runner(chime);

        run(List.of(next), Duration.ofSeconds(121));

        assertThat(runs).hasSize(3);
    }

    @Test
    void anIdleHourCostsFortyRenewals() {
        Chime chime = new Chime(A_MINUTE);
        ScheduledRunner runner = shop.process(shop.time, A_MINUTE, 1).runner(chime);
        Duration rest = runner.runOnce();
        shop.storage.resetCounters();

        for (Duration passed = Duration.ZERO; passed.compareTo(Duration.ofHours(1)) < 0; passed = passed.plus(rest)) {
            shop.time.advance(rest);
            rest = runner.runOnce();
        }

        assertThat(runs).hasSize(61);
        assertIntervalsAtLeast(A_MINUTE);
        assertThat(shop.storage.calls()).isEqualTo(40);
    }

    @Test
    @DisplayName("L-11: who takes over from a dead holder keeps the interval to a run that no row tells of")
    void l11_aRunThatNoRowTellsOfCounts() {
        Duration interval = Duration.ofSeconds(40);
        Chime chime = new Chime(interval);
        ScheduledRunner dying = shop.process(shop.time, Duration.ZERO, 1).runner(chime);
        ScheduledRunner next = shop.process(shop.time, Duration.ZERO, 2).runner(chime);
        Duration rest = dying.runOnce();
        while (runs.size() < 2) {
            shop.time.advance(rest);
            rest = dying.runOnce();
            next.runOnce();
        }

        run(List.of(next), Duration.ofMinutes(3));

        assertThat(runs).hasSizeBetween(5, 7);
        assertIntervalsAtLeast(interval);
    }

    @Test
    @DisplayName("L-11: an interval that is changed during a run counts from that run on")
    void l11_anIntervalChangedDuringARunIsKept() {
        Chime chime = new Chime(Duration.ofHours(1));
        chime.during = () -> chime.interval = Duration.ofSeconds(20);
        ScheduledRunner runner = shop.process(shop.time, A_MINUTE, 1).runner(chime);

        assertThat(runner.runOnce()).isEqualTo(Duration.ofSeconds(20));
        shop.time.advance(Duration.ofSeconds(20));
        runner.runOnce();

        assertThat(runs).hasSize(2);
    }

    @Test
    void aReleasedLeaseTellsOfTheLastRun() {
        Chime chime = new Chime(A_MINUTE);
        ScheduledRunner first = shop.process(shop.time, Duration.ZERO, 1).runner(chime);
        first.runOnce();
        shop.time.advance(A_MINUTE);
        first.runOnce();
        first.release();
        ScheduledRunner next = shop.process(shop.time, Duration.ZERO, 2).runner(chime);

        assertThat(next.runOnce()).isEqualTo(A_MINUTE);
        shop.time.advance(A_MINUTE);
        next.runOnce();

        assertThat(runs).hasSize(3);
    }

    private void assertIntervalsAtLeast(Duration interval) {
        for (int i = 1; i < runs.size(); i++) {
            assertThat(Duration.between(runs.get(i - 1), runs.get(i))).isGreaterThanOrEqualTo(interval);
        }
    }
}

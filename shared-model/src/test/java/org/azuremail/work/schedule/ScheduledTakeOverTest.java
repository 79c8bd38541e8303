package org.azuremail.work.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.time.ManualTime;
import org.azuremail.work.run.WorkRuntime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks which process runs a scheduled service after the previous one died or released it. */
class ScheduledTakeOverTest extends OnScheduledRunners {

    @ParameterizedTest
    @CsvSource({"0, 30", "60, 90"})
    @DisplayName("K13, L-11: the runner dies, and another takes over when the lease has ended, not before")
    void l11_theNextProcessTakesOver(int graceSeconds, int endsAfterSeconds) {
        Duration grace = Duration.ofSeconds(graceSeconds);
        Chime chime = new Chime(Duration.ofSeconds(10));
        chime.during = () -> {
            throw new ProcessDied();
        };
        LeasedRunner dying = new LeasedRunner(shop.process(shop.time, grace, 1), chime);
        assertThatThrownBy(dying::runOnce).isInstanceOf(ProcessDied.class);
        chime.during = () -> {};
        LeasedRunner next = new LeasedRunner(shop.process(shop.time, grace, 2), chime);

        run(List.of(next), Duration.ofSeconds(endsAfterSeconds));
        assertThat(runs).hasSize(1);
        run(List.of(next), Duration.ofSeconds(11));

        assertThat(runs).hasSizeBetween(2, 3);
        assertIntervalsAtLeast(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(longs = {60, -60})
    @DisplayName("L-12: a process that takes over with another clock runs neither early nor much too late")
    void l12_takeOverWithAnotherClock(long seconds) {
        Chime chime = new Chime(Duration.ofHours(1));
        ManualTime skewed = ManualTime.at(ManualTime.START.plusSeconds(seconds));
        new LeasedRunner(shop.process(shop.time, A_MINUTE, 1), chime).runOnce();
        LeasedRunner next = new LeasedRunner(shop.process(skewed, A_MINUTE, 2), chime);

        run(List.of(next), Duration.ofMinutes(63), skewed);

        assertThat(runs).hasSize(2);
        assertIntervalsAtLeast(Duration.ofHours(1));
    }

    @Test
    void aRunByAClockThatWasADayAheadDelaysTheNextByMinutesOnly() {
        Chime chime = new Chime(A_MINUTE);
        ManualTime ahead = ManualTime.at(ManualTime.START.plus(Duration.ofDays(1)));
        LeasedRunner first = new LeasedRunner(shop.process(ahead, Duration.ZERO, 1), chime);
        first.runOnce();
        first.release();
        LeasedRunner next = new LeasedRunner(shop.process(shop.time, Duration.ZERO, 2), chime);

        run(List.of(next), Duration.ofMinutes(6));

        assertThat(runs).hasSize(3);
        assertIntervalsAtLeast(A_MINUTE);
    }

    /** Only during a long run is the lease renewed by another thread than the runner's own. */
    @Test
    void aRunnerWhoseThreadEndsBetweenRunsLosesItsLease() {
        Chime chime = new Chime(A_MINUTE);
        WorkRuntime process = shop.process(shop.time, Duration.ZERO, 1);
        new LeasedRunner(process, chime).runOnce();
        LeasedRunner next = new LeasedRunner(shop.process(shop.time, Duration.ZERO, 2), chime);

        for (int second = 0; second < 300; second++) {
            shop.time.advance(Duration.ofSeconds(1));
            process.renewals().runOnce();
            next.runOnce();
        }

        assertThat(runs).hasSize(5);
    }

    @Test
    void aReleasedServiceIsTakenOverAtOnce() {
        Chime chime = new Chime(Duration.ofSeconds(10));
        List<LeasedRunner> processes = processes(2, Duration.ZERO, chime);
        run(processes, Duration.ofSeconds(5));
        processes.get(0).release();

        run(processes.subList(1, 2), Duration.ofSeconds(6));

        assertThat(runs).hasSize(2);
    }

    @Test
    void aReleasedLeaseTellsOfTheLastRun() {
        Chime chime = new Chime(A_MINUTE);
        LeasedRunner first = new LeasedRunner(shop.process(shop.time, Duration.ZERO, 1), chime);
        first.runOnce();
        shop.time.advance(A_MINUTE);
        first.runOnce();
        first.release();
        LeasedRunner next = new LeasedRunner(shop.process(shop.time, Duration.ZERO, 2), chime);

        assertThat(next.runOnce()).isEqualTo(A_MINUTE);
        shop.time.advance(A_MINUTE);
        next.runOnce();

        assertThat(runs).hasSize(3);
    }

    @Test
    void anActiveServiceHasAShortLeaseSoThatAnotherSoonTakesOver() {
        Chime chime = new Chime(A_MINUTE);
        chime.active = true;
        new LeasedRunner(shop.process(shop.time, A_MINUTE, 1), chime).runOnce();
        LeasedRunner next = new LeasedRunner(shop.process(shop.time, A_MINUTE, 2), chime);

        run(List.of(next), Duration.ofSeconds(121));

        assertThat(runs).hasSize(2);
    }

    @Test
    @DisplayName("L-11: a process that dies in a run that a signal asked for is replaced as soon as any other")
    void l11_aProcessThatDiesInARunThatASignalAskedForIsSoonReplaced() {
        Chime chime = new Chime(A_MINUTE);
        LeasedRunner dying = new LeasedRunner(shop.process(shop.time, A_MINUTE, 1), chime);
        dying.runOnce();
        run(List.of(dying), Duration.ofSeconds(30));
        chime.during = () -> {
            throw new ProcessDied();
        };
        assertThatThrownBy(dying::runSoon).isInstanceOf(ProcessDied.class);
        chime.during = () -> {};
        LeasedRunner next = new LeasedRunner(shop.process(shop.time, A_MINUTE, 2), chime);

        run(List.of(next), Duration.ofSeconds(121));

        assertThat(runs).hasSize(3);
    }

    @Test
    @DisplayName("L-11: a process that takes over from a dead holder keeps the interval to a run that no row tells of")
    void l11_aRunThatNoRowTellsOfCounts() {
        Duration interval = Duration.ofSeconds(40);
        Chime chime = new Chime(interval);
        LeasedRunner dying = new LeasedRunner(shop.process(shop.time, Duration.ZERO, 1), chime);
        LeasedRunner next = new LeasedRunner(shop.process(shop.time, Duration.ZERO, 2), chime);
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
}

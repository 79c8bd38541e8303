package org.azuremail.work.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.Storage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.run.StopFlag;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks when a scheduled service runs, by its interval, over any number of processes. */
class LeasedRunnerTest extends OnScheduledRunners {

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8})
    @DisplayName("K13: any number of processes run it 60 times a minute, never two at a time")
    void k13_onceASecondOverAllProcesses(int count) {
        Chime chime = new Chime(Duration.ofSeconds(1));
        List<LeasedRunner> processes = processes(count, Duration.ZERO, chime);
        boolean[] running = {false};
        chime.during = () -> {
            assertThat(running[0]).isFalse();
            running[0] = true;
            processes.subList(1, count).forEach(LeasedRunner::runOnce);
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
        LeasedRunner other = new LeasedRunner(shop.process(shop.time, Duration.ZERO, 9), others);
        int[] otherRuns = {0};
        others.during = () -> otherRuns[0]++;
        chime.during = () -> {
            for (int second = 0; second < 300; second++) {
                shop.time.advance(Duration.ofSeconds(1));
                shop.runtime.renewals().runOnce();
                other.runOnce();
            }
        };

        new LeasedRunner(shop.runtime, chime).runOnce();

        assertThat(otherRuns[0]).isZero();
        assertThat(runs).hasSize(1);
    }

    @Test
    @DisplayName("L-11: an interval that is changed during a run holds from the next run on")
    void l11_aChangedIntervalIsKept() {
        Chime chime = new Chime(Duration.ofSeconds(10));
        chime.during = () -> chime.interval = Duration.ofSeconds(40);
        List<LeasedRunner> processes = processes(2, Duration.ZERO, chime);

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
        List<LeasedRunner> processes = List.of(
                new LeasedRunner(shop.process(shop.time, A_MINUTE, 1), chime),
                new LeasedRunner(shop.process(ahead, A_MINUTE, 2), chime),
                new LeasedRunner(shop.process(behind, A_MINUTE, 3), chime));

        run(processes, Duration.ofSeconds(seconds), ahead, behind);

        int expected = seconds / intervalSeconds;
        assertThat(runs).hasSizeBetween(expected - 1, expected + 1);
        assertIntervalsAtLeast(interval);
    }

    @Test
    void aRestartedProcessDoesNotRunAgainBeforeTheInterval() {
        Chime chime = new Chime(Duration.ofHours(6));
        for (int restart = 0; restart < 12; restart++) {
            LeasedRunner runner = new LeasedRunner(shop.process(shop.time, Duration.ZERO, restart), chime);
            runner.runOnce();
            runner.release();
            shop.time.advance(Duration.ofHours(1));
        }

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
    void nothingRunsOnceANewerProgramHasUpgradedTheStorage() {
        boolean[] upgraded = {false};
        Storage storage = shop.storage.storage();
        Leases gated = new Leases(
                storage, shop.time, Holders.anywhere(new SeededIds(1)), Duration.ZERO, atMostOld -> !upgraded[0]);
        Chime chime = new Chime(Duration.ofSeconds(10));
        chime.active = true;
        LeasedRunner runner = new LeasedRunner(
                InlineWork.runtime(storage, new DeadLetters(storage, shop.queues), gated, shop.time, new StopFlag()),
                chime);
        run(List.of(runner), Duration.ofSeconds(15));
        assertThat(runs).hasSize(2);

        upgraded[0] = true;
        run(List.of(runner), Duration.ofMinutes(5));

        assertThat(runs).hasSize(2);
    }

    @Test
    void anIdleHourCostsFortyRenewals() {
        Chime chime = new Chime(A_MINUTE);
        LeasedRunner runner = new LeasedRunner(shop.process(shop.time, A_MINUTE, 1), chime);
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
    @DisplayName("L-11: an interval that is changed during a run counts from that run on")
    void l11_anIntervalChangedDuringARunIsKept() {
        Chime chime = new Chime(Duration.ofHours(1));
        chime.during = () -> chime.interval = Duration.ofSeconds(20);
        LeasedRunner runner = new LeasedRunner(shop.process(shop.time, A_MINUTE, 1), chime);

        assertThat(runner.runOnce()).isEqualTo(Duration.ofSeconds(20));
        shop.time.advance(Duration.ofSeconds(20));
        runner.runOnce();

        assertThat(runs).hasSize(2);
    }
}

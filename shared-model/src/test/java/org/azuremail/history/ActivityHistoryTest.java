package org.azuremail.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.azuremail.history.ActivityHistory.HourlyCounts;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.run.Workload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that the counts of processes survive hours and restarts, and that idle processes cost nothing. */
class ActivityHistoryTest {

    private static final String QUEUE = "azuremailqueue";

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage simulated = new SimulatedStorage(time);
    private final ActivityHistory history = history(simulated);
    private int started;

    private ActivityHistory history(SimulatedStorage storage) {
        storage.tables().createTable("work");
        return new ActivityHistory(storage.storage(), time);
    }

    /** A process with its counts. */
    private final class Process {

        private final HistoryRecorder recorder;
        private final Instances instances;
        private long emails;
        private long refused;
        private long finished;
        private long failed;
        private long dead;
        private long waiting;

        Process() {
            this(Faults.none());
        }

        Process(Faults faults) {
            started++;
            instances = new Instances(simulated.storage(), time, new SeededIds(started)::token, Stream::of);
            instances.register(new Registration("host" + started, Set.of("sender"), Set.of(QUEUE), Set.of(), ""));
            instances.heartbeat();
            recorder = new HistoryRecorder(
                    new ActivityHistory(faults.around(simulated.storage()), time),
                    () -> HistoryRecorder.totals(
                            emails,
                            refused,
                            Map.of(
                                    QUEUE,
                                    new Workload.QueueCounts(
                                            4, 0, 0, finished, 0, failed, dead, Duration.ZERO, 0, 0, 0, Map.of()))),
                    instances,
                    queue -> waiting,
                    "process" + started,
                    time);
        }

        void turn() {
            recorder.turn(false);
            time.advance(HistoryRecorder.EVERY);
        }
    }

    private HourlyCounts onlyHour() {
        TreeMap<Instant, HourlyCounts> hours = history.hours();
        assertThat(hours).hasSize(1);
        return hours.firstEntry().getValue();
    }

    @Test
    void aClockThatIsSetBackAcrossMidnightLosesNothing() {
        Process process = new Process();
        time.advance(Duration.between(
                time.instant(), time.instant().truncatedTo(ChronoUnit.DAYS).plus(Duration.ofHours(47))));
        process.emails = 100;
        process.turn();
        time.advance(Duration.ofHours(1));
        process.emails = 110;
        process.turn();
        time.shiftWallClock(Duration.ofMinutes(-30));
        process.emails = 115;
        process.turn();

        assertThat(history.hours().values()).extracting(HourlyCounts::emails).containsExactly(100L, 15L);
    }

    @Test
    void k21_theCountsOfAnHourSurviveARestart() {
        Process first = new Process();
        first.emails = 100;
        first.refused = 2;
        first.finished = 7;
        first.failed = 1;
        first.dead = 2;
        first.waiting = 30;
        first.turn();
        first.emails = 150;
        first.waiting = 12;
        first.finished = 9;
        first.recorder.end();
        first.instances.deregister();
        Process second = new Process();
        second.emails = 5;
        second.turn();

        HourlyCounts hour = onlyHour();

        assertThat(hour.emails()).isEqualTo(155);
        assertThat(hour.failures()).isEqualTo(5);
        assertThat(hour.processes()).isEqualTo(1);
        assertThat(hour.queue(QUEUE)).isEqualTo(new HourlyCounts.HourlyQueueCounts(7, 3, 30, 12));
        assertThat(history.hours().firstKey()).isEqualTo(time.instant().truncatedTo(ChronoUnit.HOURS));
    }

    @Test
    void countsOfConcurrentProcessesAddUp() {
        Process one = new Process();
        Process other = new Process();
        one.finished = 3;
        one.waiting = 9;
        one.failed = 1;
        other.finished = 4;
        other.failed = 2;
        other.waiting = 8;
        one.turn();
        other.turn();

        assertThat(onlyHour().queue(QUEUE)).isEqualTo(new HourlyCounts.HourlyQueueCounts(7, 3, 9, 9));
        assertThat(onlyHour().processes()).isEqualTo(2);
    }

    @Test
    void anIdleProcessMakesNoStorageCall() {
        Process idle = new Process();
        idle.turn();
        long calls = simulated.calls();

        for (int i = 0; i < 12 * 24; i++) {
            idle.turn();
        }

        assertThat(simulated.calls()).isEqualTo(calls);
    }

    @Test
    void eachDayHasItsRowAndOldOnesAreDeleted() {
        Process process = new Process();
        for (int day = 0; day < 40; day++) {
            process.emails += 10;
            process.turn();
            time.advance(Duration.ofDays(1).minus(HistoryRecorder.EVERY));
        }

        assertThat(history.hours()).hasSize(30).allSatisfy((at, hour) -> assertThat(hour.emails())
                .isEqualTo(10));
        assertThat(rows()).isEqualTo(40);
        history.removeOld();
        assertThat(history.hours()).hasSize(30);
        assertThat(rows()).isBetween(30L, 31L);
        time.advance(Duration.ofDays(40));
        history.removeOld();
        assertThat(rows()).isZero();
    }

    private long rows() {
        return new Table(simulated.tables(), "work")
                .stream(KeyRange.partition("history")).count();
    }

    @ParameterizedTest
    @EnumSource
    void noFaultOfAWriteCountsAnythingTwice(Faults.Mode mode) {
        for (int at = 1; at <= 4; at++) {
            simulatedHour(mode, at);
        }
    }

    private void simulatedHour(Faults.Mode mode, int at) {
        ActivityHistoryTest other = new ActivityHistoryTest();
        Process process = other.new Process(new Faults(mode, at, () -> {}));
        boolean died = false;
        for (int minute = 0; minute < 30 && !died; minute += 5) {
            process.emails += 10;
            try {
                process.turn();
            } catch (StorageException again) {
                assertThat(again.retryable()).isTrue();
            } catch (ProcessDied gone) {
                died = true;
            }
        }
        long emails = other.history.hours().values().stream()
                .mapToLong(HourlyCounts::emails)
                .sum();
        if (died) {
            assertThat(emails).as(mode + " at " + at).isBetween(process.emails - 10, process.emails);
        } else {
            assertThat(emails).as(mode + " at " + at).isEqualTo(process.emails);
        }
    }

    @Test
    void anExceptionKeepsTheCounts() {
        Process process = new Process(new Faults(Faults.Mode.FAILS, 1, () -> {}));
        process.emails = 10;
        assertThatThrownBy(process::turn).isInstanceOf(StorageException.class);
        process.turn();
        assertThat(onlyHour().emails()).isEqualTo(10);
    }
}

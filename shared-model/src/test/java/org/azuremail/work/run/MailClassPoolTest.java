package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.azuremail.work.run.ClassedPool.ALL;
import static org.azuremail.work.run.ClassedPool.items;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks queues of classes that share their places, and queues with their own places. */
class MailClassPoolTest {

    private static final Duration HANDLING = Duration.ofSeconds(1);

    private final ClassedPool pool = new ClassedPool();

    @Test
    @DisplayName(
            "R1, R2, P-1: of 1,000 low items and a high one that came last, the next free place takes the high one")
    void r1_p1_theNextFreePlaceTakesTheHighOne() {
        QueueRunner<String> runner = pool.strict(2);
        pool.put(pool.low, items("low", 1000));
        runner.runOnce();
        pool.put(pool.high, "high");

        pool.end();
        runner.runOnce();
        pool.endAll();

        assertThat(pool.begun).containsExactly("low0", "low1", "high");
    }

    @Test
    @DisplayName(
            "R15: of ten low items and ten high ones that came after them, the high ones are first, however places are shared")
    void r15_tenHighItemsOvertakeTenLowOnes() {
        QueueRunner<String> shared = pool.strict(2);
        pool.put(pool.low, items("low", 10));
        shared.runOnce();
        pool.put(pool.high, items("high", 10));
        pool.endAll();
        pool.work(shared);
        assertThat(pool.begun.subList(0, 12)).startsWith("low0", "low1").endsWith(items("high", 10));

        pool.begun.clear();
        QueueRunner<String> high = pool.alone(pool.high, 2);
        QueueRunner<String> low = pool.alone(pool.low, 1);
        pool.put(pool.low, items("low", 10));
        pool.put(pool.high, items("high", 10));
        while (pool.begun.size() < 20) {
            low.runOnce();
            high.runOnce();
            pool.endAll();
        }
        assertThat(pool.begun.subList(0, 15)).contains(items("high", 10)).doesNotContain("low5");
    }

    @Test
    @DisplayName("R4: one pool takes strictly by rank, over several queues")
    void r4_onePoolTakesStrictlyByRank() {
        QueueRunner<String> runner = pool.strict(1);
        pool.put(pool.low, "low0", "low1");
        pool.put(pool.normal, "normal0", "normal1");
        pool.put(pool.high, "high0", "high1");

        pool.work(runner);

        assertThat(pool.begun).containsExactly("high0", "high1", "normal0", "normal1", "low0", "low1");
    }

    @Test
    @DisplayName("R3, R5, P-2: with pools of their own low items are begun at once, whatever is high")
    void r3_p2_withPoolsOfTheirOwnLowItemsAreBegunAtOnce() {
        QueueRunner<String> high = pool.alone(pool.high, 2);
        QueueRunner<String> low = pool.alone(pool.low, 1);
        pool.put(pool.high, items("high", 100));
        pool.put(pool.low, "low");

        high.runOnce();
        low.runOnce();
        pool.endAll();

        assertThat(pool.begun).containsExactly("high0", "high1", "low");
        assertThat(pool.done(pool.low).starved()).isZero();
    }

    @Test
    @DisplayName("R7, A68: a low run that holds a place is asked to end when a high item waits, and loses nothing")
    void r7_aLowRunGivesWay() {
        QueueRunner<String> runner = pool.strict(2);
        pool.work(runner);
        pool.put(pool.low, "low0", "low1");
        runner.runOnce();
        assertThat(runner.free()).isZero();
        pool.put(pool.high, "high");

        runner.requestYield(ALL);
        pool.endAll();
        pool.work(runner);

        assertThat(pool.asked).as("one place is enough for one item").hasSize(1);
        assertThat(pool.begun).endsWith("high", pool.asked.get(0));
        assertThat(pool.begun).containsExactlyInAnyOrder("low0", "low1", "high");
        assertThat(pool.done(pool.low).begun())
                .as("a wait counts at the first delivery")
                .isEqualTo(2);
    }

    @Test
    void aQueueThatSomebodyDeletesIsCreatedAgainAlsoWhileAllPlacesAreTaken() {
        QueueRunner<String> runner = pool.strict(1);
        pool.work(runner);
        pool.put(pool.low, "low");
        runner.runOnce();
        pool.storage.deleteQueue("high");

        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> runner.requestYield(ALL));
        assertThat(runner.requestYield(ALL)).isFalse();

        pool.storage.queues().send("high", "high");
        runner.requestYield(ALL);
        pool.endAll();
        assertThat(pool.asked).containsExactly("low");
    }

    @Test
    @DisplayName("R7: nobody gives way for his own class or for one that is less urgent")
    void r7_nobodyGivesWayForTheLessUrgent() {
        QueueRunner<String> runner = pool.strict(1);
        pool.work(runner);
        pool.put(pool.normal, "normal0");
        runner.runOnce();
        pool.put(pool.normal, "normal1");
        pool.put(pool.low, "low");

        runner.requestYield(ALL);
        pool.endAll();

        assertThat(pool.asked).isEmpty();
    }

    @Test
    @DisplayName("R12: each look at a queue is counted, and a strict pool looks at the high queue before each low item")
    void r12_looksAreCounted() {
        QueueRunner<String> runner = pool.strict(1);
        pool.put(pool.low, items("low", 10));

        pool.work(runner);

        assertThat(pool.done(pool.low).receives()).isEqualTo(11);
        assertThat(pool.done(pool.high).receives()).isEqualTo(11);
        assertThat(pool.done(pool.high).emptyReceives()).isEqualTo(11);
    }

    @Test
    @DisplayName("R8, R9: how long items of each class waited is counted, and which of them too long for the target")
    void r8_r9_waitsAreCountedByClass() {
        QueueRunner<String> runner = pool.strict(1);
        pool.put(pool.high, "high0");
        runner.runOnce();
        pool.endAll();
        pool.put(pool.high, items("late", 3));
        pool.time.advance(Duration.ofSeconds(60));
        pool.work(runner);

        Workload.QueueCounts done = pool.done(pool.high);
        assertThat(done.begun()).isEqualTo(4);
        assertThat(done.late()).isEqualTo(3);
        assertThat(WaitHistogram.percentile(done.waits(), 0.25)).isLessThanOrEqualTo(Duration.ofMillis(10));
        assertThat(WaitHistogram.percentile(done.waits(), 0.95))
                .isBetween(Duration.ofSeconds(60), Duration.ofSeconds(75));
    }

    @Test
    @DisplayName("R7: a run ends for more urgent items only, not for others of its own rank")
    void r7_nobodyGivesWayToTheSameRank() {
        QueueRunner<String> runner = pool.strict(2);
        pool.put(pool.low, "low");
        runner.runOnce();
        pool.put(pool.normal, "normal");
        runner.runOnce();
        pool.put(pool.normal, "next", "last");

        runner.requestYield(ClassedPool.ALL);
        pool.endAll();

        assertThat(pool.asked).containsExactly("low");
        assertThat(pool.begun).containsExactly("normal");
    }

    @Test
    @DisplayName("R13: places follow the length of the queue, within their bounds")
    void r13_placesFollowTheQueue() {
        QueueRunner<String> runner =
                new QueueRunner<>(pool.runtime, List.of(pool.low), 2, 6, () -> {}, new Random(7)::nextDouble);
        pool.put(pool.low, items("low", 50));
        for (int i = 0; i < 10; i++) {
            runner.runOnce();
        }
        assertThat(pool.done(pool.low).places()).isEqualTo(6);
        assertThat(runner.free()).isZero();

        pool.work(runner);
        pool.endAll();
        pool.work(runner);
        runner.runOnce();
        runner.runOnce();

        assertThat(pool.begun).hasSize(50);
        assertThat(pool.done(pool.low).places()).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "P-3, R13: a class that is suspended keeps its items, its runs end soon, and all is done when it is resumed")
    void p3_r13_aSuspendedClassLosesNothing() {
        QueueRunner<String> runner = pool.strict(1);
        boolean[] suspended = {false};
        pool.put(pool.low, items("low", 5));
        runner.runOnce(queue -> !(suspended[0] && queue.equals("low")), false);
        suspended[0] = true;
        pool.endAll();
        pool.put(pool.high, "high");
        while (runner.runOnce(queue -> !queue.equals("low"), false) > 0) {
            pool.endAll();
        }
        assertThat(pool.asked).containsExactly("low0");
        assertThat(pool.begun).containsExactly("high");

        pool.work(runner);

        assertThat(pool.begun).hasSize(6).contains("low0", "low1", "low2", "low3", "low4");
    }

    @Test
    @DisplayName(
            "P-4: an item whose consumer died comes back on the queue of its class, and goes before lower ones again")
    void p4_anItemOfADeadConsumerKeepsItsClass() {
        QueueRunner<String> dies = pool.strict(1);
        pool.put(pool.high, "high");
        dies.runOnce();
        pool.put(pool.low, "low0", "low1");
        pool.time.advance(pool.high.visibility().plusSeconds(1));
        pool.forget();

        pool.work(pool.strict(1));

        assertThat(pool.begun).containsExactly("high", "low0", "low1");
    }

    @Test
    @DisplayName("P-7: while the process stops, what has begun may end and nothing begins; nothing is lost")
    void p7_whileTheProcessStopsWhatHasBegunEnds() {
        QueueRunner<String> runner = pool.strict(2);
        pool.put(pool.high, "high0", "high1", "high2");
        runner.runOnce();
        pool.end();
        pool.runtime.stopFlag().request();
        pool.endAll();
        assertThat(runner.runOnce()).isZero();
        assertThat(pool.begun).containsExactly("high0");
        assertThat(pool.asked).containsExactly("high1");

        pool.runtime.stopFlag().reset();
        pool.work(runner);

        assertThat(pool.begun).containsExactlyInAnyOrder("high0", "high1", "high2");
    }

    @Test
    void aClassOutsideItsHoursIsNotTakenAndTheRunnerRestsUntilTheyBegin() {
        QueueRunner<String> runner = pool.strict(1);
        pool.put(pool.low, "low0", "low1");
        runner.runOnce();
        pool.low.closedFor = Duration.ofMinutes(20);
        pool.endAll();

        assertThat(runner.runOnce()).isZero();
        assertThat(pool.asked).containsExactly("low0");
        assertThat(runner.restWithin(Duration.ofHours(1))).isEqualTo(Duration.ofMinutes(20));
        assertThat(runner.restWithin(Duration.ofMinutes(1))).isEqualTo(Duration.ofMinutes(1));

        pool.low.closedFor = Duration.ZERO;
        pool.work(runner);
        assertThat(pool.begun).containsExactlyInAnyOrder("low0", "low1");
    }

    @Test
    void aQuietLookCostsNothingAtQueuesWhoseItemsSomebodyPutsAgain() {
        QueueRunner<String> runner = pool.strict(1);
        pool.work(runner);
        pool.low.safetyPolled = false;
        pool.normal.safetyPolled = false;
        pool.storage.resetCounters();

        runner.runOnce(ALL, true);

        assertThat(pool.storage.calls(Call.Kind.RECEIVE)).isEqualTo(1);
        assertThat(pool.storage.calls()).isEqualTo(1);
    }
}

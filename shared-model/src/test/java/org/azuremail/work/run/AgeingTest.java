package org.azuremail.work.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.work.run.ClassedPool.ALL;
import static org.azuremail.work.run.ClassedPool.items;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks classes that wait behind more urgent ones: with ageing, their wait is limited. */
class AgeingTest {

    private static final Duration HANDLING = Duration.ofSeconds(1);

    private final ClassedPool pool = new ClassedPool();

    /** Returns the seconds until the low item is begun while high items arrive without end. */
    private long secondsUntilLowIsBegun(int max) {
        QueueRunner<String> runner = pool.strict(1);
        pool.put(pool.low, "low");
        for (int second = 0; second < max; second++) {
            pool.put(pool.high, "high" + second);
            runner.runOnce();
            pool.time.advance(HANDLING);
            pool.endAll();
            if (pool.begun.contains("low")) {
                return second;
            }
        }
        return max;
    }

    @Test
    @DisplayName("R5, P-2: with high items without end a strict pool starves low ones where nothing ages")
    void r5_p2_aStrictPoolStarvesLowItems() {
        pool.ageing = Duration.ofDays(1000);

        assertThat(secondsUntilLowIsBegun(5000)).isEqualTo(5000);
        assertThat(pool.done(pool.low).begun()).isZero();
    }

    @Test
    @DisplayName("R6, P-2: with ageing a low item is begun within the bound, whatever comes, and that is counted")
    void r6_p2_aLowItemIsBegunWithinTheBound() {
        pool.ageing = Duration.ofMinutes(2);

        assertThat(secondsUntilLowIsBegun(5000))
                .isLessThanOrEqualTo(pool.ageing.plus(HANDLING).toSeconds());
        assertThat(pool.done(pool.low).starved()).isEqualTo(1);
        assertThat(pool.done(pool.high).starved()).isZero();
    }

    @Test
    @DisplayName("R6: items that have waited for the bound get every other place, and the rest go to high items")
    void r6_agedItemsGetEveryOtherPlace() {
        QueueRunner<String> runner = pool.strict(1);
        pool.put(pool.low, items("low", 100));
        pool.time.advance(pool.ageing.plusSeconds(1));
        for (int i = 0; i < 100; i++) {
            pool.put(pool.high, "high" + i);
            runner.runOnce();
            pool.endAll();
        }
        pool.begun.clear();
        pool.time.advance(pool.ageing);
        for (int i = 0; i < 20; i++) {
            pool.put(pool.high, "more" + i);
            runner.runOnce();
            pool.endAll();
        }

        assertThat(pool.begun).filteredOn(item -> item.startsWith("low")).hasSize(10);
    }

    @Test
    @DisplayName(
            "R6, P-2: with High and Normal without end, three processes begin with each class within the bound, and have done the"
                    + " backlog of Low within another")
    void r6_p2_noClassStarvesBeyondTheBoundHoweverManyProcessesThereAre() {
        pool.ageing = Duration.ofMinutes(1);
        long bound = pool.ageing.plus(HANDLING).toSeconds();
        List<QueueRunner<String>> processes = List.of(pool.strict(3), pool.strict(3), pool.strict(3));
        pool.put(pool.low, items("low", 50));
        Map<String, Long> firstAt = new HashMap<>();
        for (long second = 0; second < 2 * bound; second++) {
            pool.put(pool.high, items("high", 9));
            pool.put(pool.normal, items("normal", 9));
            processes.forEach(process -> {
                while (process.runOnce() > 0) {
                    assertThat(process.free()).isNotNegative();
                }
            });
            pool.time.advance(HANDLING);
            pool.endAll();
            for (String begun : pool.begun) {
                firstAt.putIfAbsent(begun.replaceAll("\\d+", ""), second);
            }
        }

        assertThat(firstAt).containsEntry("high", 0L);
        assertThat(firstAt.get("normal")).isLessThanOrEqualTo(bound);
        assertThat(firstAt.get("low")).isLessThanOrEqualTo(bound);
        assertThat(pool.done(pool.low).begun()).isEqualTo(50);
        assertThat(pool.done(pool.low).starved()).isEqualTo(50);
        assertThat(pool.done(pool.high).begun())
                .as("half of the places at least stay High's")
                .isGreaterThan(2 * bound * 9 / 2);
    }

    @Test
    @DisplayName("R6: a class that has its turn by ageing gets one place, however many are free")
    void r6_anAgedTurnIsOneItem() {
        QueueRunner<String> runner = pool.strict(4);
        pool.put(pool.high, items("first", 4));
        runner.runOnce();
        pool.endAll();
        pool.put(pool.low, items("low", 10));
        pool.put(pool.high, items("high", 10));
        pool.time.advance(pool.ageing);

        runner.runOnce();
        runner.runOnce();
        pool.endAll();

        assertThat(pool.begun.subList(4, 8)).containsExactly("low0", "high0", "high1", "high2");
    }

    @Test
    @DisplayName(
            "R6, P-2: an item that has its turn because it has waited for so long may do something before it gives way")
    void r6_p2_anAgedItemKeepsItsPlaceForAWhile() {
        QueueRunner<String> runner = poolWithAnAgedItemUnderWay();

        assertThat(runner.requestYield(ALL)).as("it is to be asked later").isTrue();
        pool.time.advance(QueueRunner.AGED_RUN_MIN_TIME);
        assertThat(runner.requestYield(ALL)).isFalse();
        pool.endAll();
        pool.work(runner);

        assertThat(pool.asked).containsExactly("low");
        assertThat(pool.begun).containsExactly("first", "high", "low");
    }

    @Test
    @DisplayName("R6, P-2: until then it is not asked to give way")
    void r6_p2_anAgedItemIsNotAskedToEndAtOnce() {
        QueueRunner<String> runner = poolWithAnAgedItemUnderWay();

        runner.requestYield(ALL);
        pool.endAll();

        assertThat(pool.asked).isEmpty();
        assertThat(pool.begun).containsExactly("first", "low");
    }

    private QueueRunner<String> poolWithAnAgedItemUnderWay() {
        QueueRunner<String> runner = pool.strict(1);
        pool.put(pool.high, "first");
        runner.runOnce();
        pool.endAll();
        pool.put(pool.low, "low");
        pool.put(pool.high, "high");
        pool.time.advance(pool.ageing);
        runner.runOnce();
        return runner;
    }

    @Test
    @DisplayName("R5, R6: low items that wait only for each other are not starved, and are taken without detours")
    void r5_aBacklogOfOneClassAloneIsNotStarved() {
        QueueRunner<String> runner = pool.strict(1);
        pool.put(pool.low, items("low", 600));
        while (pool.begun.size() < 600) {
            runner.runOnce();
            pool.time.advance(Duration.ofSeconds(3));
            pool.endAll();
        }
        pool.time.advance(Duration.ofHours(1));
        pool.put(pool.low, "later");
        pool.work(runner);

        assertThat(pool.begun).endsWith("later");
        assertThat(pool.done(pool.low).starved()).isZero();
        assertThat(pool.done(pool.high).receives()).isEqualTo(602);
    }

    @Test
    @DisplayName("R5, R6: the time outside the hours of a class does not count as ageing")
    void r6_hoursDoNotCountAsAgeing() {
        QueueRunner<String> runner = pool.strict(1);
        pool.work(runner);
        pool.put(pool.low, items("low", 2));
        pool.low.closedFor = Duration.ofHours(8);
        pool.put(pool.high, "first");
        pool.work(runner);
        pool.time.advance(pool.low.closedFor);
        pool.low.closedFor = Duration.ZERO;
        for (long second = 0; second < pool.ageing.toSeconds(); second++) {
            pool.put(pool.high, "high" + second);
            runner.runOnce();
            pool.time.advance(HANDLING);
            pool.endAll();
        }
        assertThat(pool.begun).doesNotContain("low0");
        assertThat(pool.done(pool.low).starved()).isZero();

        pool.put(pool.high, "last");
        runner.runOnce();
        pool.endAll();
        assertThat(pool.begun).endsWith("low0");
        assertThat(pool.done(pool.low).starved()).isEqualTo(1);
    }

    @Test
    @DisplayName("R4, R6: low items that were fresh when they were taken do not make their queue age")
    void r6_freshItemsDoNotCountAsAgeing() {
        QueueRunner<String> runner = pool.strict(1);
        pool.work(runner);
        pool.time.advance(pool.ageing);
        pool.put(pool.low, "low0", "low1");
        runner.runOnce();
        pool.endAll();

        pool.put(pool.high, "high0", "high1");
        pool.work(runner);

        assertThat(pool.begun).containsExactly("low0", "high0", "high1", "low1");
        assertThat(pool.done(pool.low).starved()).isZero();
    }
}

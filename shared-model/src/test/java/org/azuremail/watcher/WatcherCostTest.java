package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.watcher.WatcherWorld.Process;
import org.azuremail.watcher.Watchers.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A70: thousands of watchers, and their storage calls. */
class WatcherCostTest extends OnWatchers {

    @Test
    @DisplayName("A70: more watchers are due than turns may be taken at once: the threads take one after the other")
    void a70_manyDueAtOnce() {
        Process one = world.start("one", 1_000);
        world.run(MOMENT);
        create(names(0, WatcherWorld.AT_ONCE + 50));
        one.holdsTurnsBack = true;
        world.run(MOMENT);
        assertThat(one.heldBack).hasSize(WatcherWorld.AT_ONCE);
        long calls = world.storage.calls();
        world.run(Duration.ofSeconds(30));
        assertThat(world.storage.calls() - calls)
                .as("while nobody has a thread")
                .isLessThan(10);

        one.heldBack.remove().run();

        assertThat(world.takersSince(Instant.EPOCH)).hasSize(WatcherWorld.AT_ONCE + 50);
    }

    @Test
    @DisplayName("A70: idle watchers cost one lease of their process, and six calls an hour for each hundred")
    void a70_theCostOfIdleWatchers() {
        world.start("one", 1_000);
        long none = callsOfAnHour();
        create(names(0, 1));
        long one = callsOfAnHour();
        create(names(1, 100));
        long hundred = callsOfAnHour();
        create(names(100, 300));
        long threeHundred = callsOfAnHour();

        System.out.printf(
                "calls an hour of a process: without a watcher %d, with one %d, a hundred %d, three hundred %d%n",
                none, one, hundred, threeHundred);
        assertThat(one - none).isLessThan(190);
        assertThat(hundred - one).isBetween(-6L, 6L);
        assertThat(threeHundred - hundred).isBetween(6L, 18L);
        assertThat(world.watcher("w7").progress().ranAt()).isAfter(now().minus(Duration.ofMinutes(12)));
    }

    @ParameterizedTest
    @CsvSource({"1, 12, 200", "2, 24, 332", "3, 36, 404", "5, 60, 548"})
    @DisplayName("A70: every further process looks whether the one that manages lives")
    void a70_theCostOfFurtherProcesses(int processes, long without, long with) {
        for (int at = 0; at < processes; at++) {
            world.start("process" + at, 10);
            world.run(MOMENT);
        }
        long none = callsOfAnHour();
        create(names(0, 1));
        long one = callsOfAnHour();

        System.out.printf("calls an hour of %d processes: without a watcher %d, with one %d%n", processes, none, one);
        assertThat(none).isLessThanOrEqualTo(without);
        assertThat(one).isLessThanOrEqualTo(with);
    }

    @Test
    @DisplayName("A70: after restarts, a death and the end of the last watcher, only heartbeats remain")
    void a70_theCostWhenAllIsOver() {
        for (String name : List.of("one", "two", "three")) {
            world.start(name, 10);
            world.run(MOMENT);
        }
        long fresh = callsOfAnHour();
        create("a");
        world.run(MOMENT);
        assertThat(world.watchers().delete("a")).isEqualTo(Answer.STOPPING);
        world.run(MOMENT);
        world.processes.get("two").stop();
        world.start("two", 10);
        world.run(MOMENT);
        world.kill(world.processes.get("three"));
        world.start("three", 10);

        assertThat(callsOfAnHour()).isLessThanOrEqualTo(fresh);
    }

    private static String[] names(int from, int to) {
        return IntStream.range(from, to).mapToObj(n -> "w" + n).toArray(String[]::new);
    }

    private long callsOfAnHour() {
        world.run(Duration.ofMinutes(30));
        long before = world.storage.calls();
        world.run(Duration.ofHours(1));
        return world.storage.calls() - before;
    }

    @Test
    @DisplayName("A70, A31: of thousands of watchers the last costs no more to create than the first")
    void a70_thousandsAreCreated() {
        world.start("one", 2_500);
        world.run(MOMENT);
        create("first");
        long before = world.storage.calls();
        create("second");
        long early = world.storage.calls() - before;
        create(names(0, 2_400));
        before = world.storage.calls();
        create("last");

        assertThat(world.storage.calls() - before).isEqualTo(early);
        create(names(2_400, 2_497));
        assertThat(world.watchers().create("more", "recording", Map.of())).isEqualTo(Answer.NO_SLOT);
    }

    @Test
    @DisplayName("A70: an answer that is lost while turns without news are written keeps no watcher from going on")
    void a70_aLostAnswerOfManyRows() {
        Process one = world.start("one", 1_000);
        world.run(MOMENT);
        create(names(0, 20));
        world.run(Duration.ofMinutes(1));
        boolean[] lost = new boolean[1];
        world.storage.hook(new org.azuremail.storage.simulated.CallHook() {
            @Override
            public void after(Call call) {
                if (!lost[0] && call.kind() == Call.Kind.WRITE && call.place().equals(WatcherStore.WATCHER)) {
                    lost[0] = true;
                    throw new StorageException(StorageException.Reason.UNKNOWN, "lost", null);
                }
            }
        });
        world.run(Duration.ofMinutes(25));

        assertThat(lost[0]).isTrue();
        assertRunning(names(0, 20));
        assertThat(one.watchers.after(""))
                .allSatisfy(
                        watcher -> assertThat(watcher.progress().ranAt()).isAfter(now().minus(Duration.ofMinutes(12))));
    }
}

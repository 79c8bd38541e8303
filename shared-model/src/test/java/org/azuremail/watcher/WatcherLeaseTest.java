package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.watcher.WatcherWorld.Process;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that a process runs its watchers while its lease lasts, through outages and long turns, and no longer. */
class WatcherLeaseTest extends OnWatchers {

    /** Any call may happen in that minute: the renewal of a lease, a poll, or a run of the manager. */
    @ParameterizedTest
    @CsvSource({"5", "25", "45", "65", "85", "105", "125", "145", "165"})
    @DisplayName("O-1: after an outage of the storage each watcher runs once where it was, without a person's help")
    void o1_theStorageIsAway(int secondsBefore) {
        Process one = world.start("one", 2);
        Process two = world.start("two", 2);
        world.run(MOMENT);
        create("a", "b", "c");
        world.run(Duration.ofSeconds(secondsBefore));
        List<Watcher> before = read("a", "b", "c");

        one.outOfReach = true;
        two.outOfReach = true;
        world.run(Duration.ofSeconds(60));
        one.outOfReach = false;
        two.outOfReach = false;
        world.run(Duration.ofMinutes(1));

        assertRunning("a", "b", "c");
        assertThat(read("a", "b", "c"))
                .extracting(Watcher::serviceId)
                .containsExactlyElementsOf(
                        before.stream().map(Watcher::serviceId).toList());
        assertServices(Map.of("one", 2, "two", 2));
        world.kill(two);
        world.run(TAKE_OVER);
        assertThat(world.watchers().capacity().slots())
                .as("somebody manages still")
                .isEqualTo(2);
    }

    @Test
    @DisplayName("O-1, O-11: no turn begins after the lease, and when the storage is back each watcher runs once")
    void o1_theStorageIsAwayForLongerThanALease() {
        Process one = world.start("one", 2);
        Process two = world.start("two", 2);
        world.run(MOMENT);
        create("a", "b", "c");
        world.run(MOMENT);

        one.outOfReach = true;
        two.outOfReach = true;
        Instant leaseEnd = now().plus(world.lease);
        world.run(Duration.ofMinutes(10));
        assertThat(world.takersSince(leaseEnd)).isEmpty();
        one.outOfReach = false;
        two.outOfReach = false;
        world.run(TAKE_OVER);

        assertRunning("a", "b", "c");
        assertServices(Map.of("one", 2, "two", 2));
    }

    @Test
    @DisplayName("O-11: a process that is cut off stops its watchers by itself before another one has them")
    void o11_cutOff() {
        Process one = world.start("one", 2);
        world.run(MOMENT);
        create("a", "b");
        world.run(MOMENT);
        world.start("two", 2);
        world.run(MOMENT);

        one.outOfReach = true;
        world.run(TAKE_OVER);
        assertRunning("a", "b");
        assertThat(world.watcher("a").serviceId())
                .isEqualTo(world.services().stream()
                        .filter(service -> service.name().equals("two"))
                        .findFirst()
                        .orElseThrow()
                        .id());

        one.outOfReach = false;
        world.run(TAKE_OVER);
        assertRunning("a", "b");
    }

    @Test
    @DisplayName("O-11: a turn that waited for its thread until the lease was over is not taken")
    void o11_tooLate() {
        Process one = world.start("one", 2);
        world.run(MOMENT);
        create("a");
        one.holdsTurnsBack = true;
        world.run(MOMENT);
        world.start("two", 2);
        world.run(MOMENT);
        one.outOfReach = true;
        world.run(TAKE_OVER);

        Instant since = now();
        assertThat(one.heldBack).isNotEmpty();
        one.heldBack.forEach(Runnable::run);

        assertThat(world.turns).noneMatch(turn -> turn.process().equals("one"));
        world.run(Duration.ofMinutes(1));
        assertThat(world.takersSince(since)).containsOnly(Map.entry("a", Set.of("two")));
    }

    @Test
    @DisplayName("O-15: a turn of an hour is not taken away, and others run beside it")
    void o15_aLongTurn() {
        Process one = world.start("one", 1);
        world.run(MOMENT);
        create("long");
        one.holdsTurnsBack = true;
        world.run(MOMENT);
        world.start("two", 2);
        world.run(MOMENT);
        create("other");
        world.run(Duration.ofHours(1));

        assertThat(world.takersSince(Instant.EPOCH)).containsOnlyKeys("other");
        one.holdsTurnsBack = false;
        one.heldBack.forEach(Runnable::run);
        assertThat(world.turns)
                .filteredOn(turn -> turn.watcher().equals("long"))
                .as("taken here, and not a second time")
                .hasSize(1);
        assertThat(world.watcher("long").progress().result().none()).isTrue();
        assertRunning("long", "other");
    }
}

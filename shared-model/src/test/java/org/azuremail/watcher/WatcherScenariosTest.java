package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.watcher.WatcherWorld.Process;
import org.azuremail.watcher.Watchers.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Source 001's scenarios in which processes lose their storage or are lost, on driven processes. */
class WatcherScenariosTest extends OnWatchers {

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

    @ParameterizedTest
    @CsvSource({"one, two, 0", "two, one, 0", "one, two, 60", "two, one, 60"})
    @DisplayName("O-2: after a blackout, whatever starts first, all watchers run again, as old as they were")
    void o2_blackout(String first, String second, int secondsBetween) {
        Process one = world.start("one", 2);
        Process two = world.start("two", 2);
        world.run(MOMENT);
        create("a", "b", "c");
        world.run(MOMENT);
        List<Watcher> before = read("a", "b", "c");

        world.kill(one);
        world.kill(two);
        world.run(Duration.ofHours(1));
        world.start(first, 2);
        world.run(Duration.ofSeconds(secondsBetween));
        world.start(second, 2);
        world.run(TAKE_OVER);

        assertRunning("a", "b", "c");
        assertThat(before).allSatisfy(was -> {
            Watcher is = world.watcher(was.name());
            assertThat(is.createdAt()).isEqualTo(was.createdAt());
            assertThat(is.serviceId()).isNotEqualTo(was.serviceId());
        });
        assertServices(Map.of("one", 2, "two", 2));
        assertThat(world.services()).as("births").hasSize(4);
    }

    @Test
    @DisplayName("O-3, O4, O14: a lost process's watchers move; without a free slot they wait for one")
    void o3_oneProcessIsLost() {
        world.start("one", 2);
        Process two = world.start("two", 2);
        world.start("three", 2);
        world.run(MOMENT);
        create("a", "b", "c", "d");
        world.run(MOMENT);
        assertThat(world.watchers().capacity().survivesLoss()).isTrue();

        world.kill(two);
        world.run(TAKE_OVER);
        assertRunning("a", "b", "c", "d");
        assertThat(world.watchers().capacity().survivesLoss()).isFalse();

        world.kill(world.processes.get("three"));
        world.run(TAKE_OVER);
        assertThat(world.watchers().capacity().waiting()).isEqualTo(2);
        Instant since = now();
        world.run(Duration.ofMinutes(10));
        assertThat(world.takersSince(since).values()).as("two slots").containsExactly(Set.of("one"), Set.of("one"));
        assertThat(world.watchers().capacity().waiting()).isEqualTo(2);
        world.start("four", 2);
        world.run(MOMENT);
        assertRunning("a", "b", "c", "d");
    }

    @Test
    @DisplayName(
            "O-3, O-4: a lost manager is missed by processes that have not heard of any watcher, without a command")
    void o4_theManagerIsLostUnheard() {
        world.start("two", 4);
        world.run(MOMENT);
        world.start("three", 4);
        world.run(MOMENT);
        Process manager = world.start("manager", 1);
        world.run(MOMENT);
        for (int at = 0; at < 3; at++) {
            String name = "w" + at;
            assertThat(manager.watchers.create(name, "recording", Map.of())).isEqualTo(Answer.CREATED);
            world.run(MOMENT);
        }
        world.kill(manager);
        world.run(TAKE_OVER);

        assertRunning("w0", "w1", "w2");
    }

    @Test
    @DisplayName("O-4, O9: a new manager hears of everybody before it takes commands")
    void o4_theManagerIsAway() {
        Process manager = world.start("manager", 1);
        world.run(MOMENT);
        Process other = world.start("other", 3);
        world.run(MOMENT);
        create("a", "b");
        world.run(MOMENT);

        world.kill(manager);
        world.kill(other);
        world.run(Duration.ofMinutes(20));
        Process next = world.start("next", 4);
        assertThat(next.watchers.create("c", "recording", Map.of())).isEqualTo(Answer.NOT_READY);
        assertThat(next.watchers.delete("a")).isEqualTo(Answer.NOT_READY);
        assertThat(next.watchers.restart("a")).isEqualTo(Answer.NOT_FAILED);
        assertThat(next.watchers.delete("nobody")).isEqualTo(Answer.MISSING);
        world.run(TAKE_OVER);

        assertRunning("a", "b");
        create("c");
        assertThat(next.watchers.delete("c")).isEqualTo(Answer.NOT_ACTIVATED);
        assertThat(next.watchers.delete("a")).isEqualTo(Answer.STOPPING);
        assertThat(world.services().stream().filter(service -> !service.deleted()))
                .extracting(WatchService::name)
                .containsExactly("next");
    }

    @Test
    @DisplayName("O-4, O9: while the manager has not heard of a birth, commands are refused; the first one calls it")
    void o4_aBirthIsUnheard() {
        Process manager = world.start("manager", 1);
        world.run(MOMENT);
        create("a");
        world.run(MOMENT);
        manager.deaf = true;
        Process born = world.start("born", 1);
        world.run(MOMENT);

        assertThat(manager.watchers.create("b", "recording", Map.of())).isEqualTo(Answer.NOT_READY);
        assertThat(manager.watchers.delete("a")).isEqualTo(Answer.NOT_READY);
        manager.deaf = false;
        assertThat(born.watchers.create("b", "recording", Map.of())).isEqualTo(Answer.NOT_READY);
        world.run(MOMENT);
        create("b");
        world.run(MOMENT);

        assertRunning("a", "b");
    }

    @Test
    @DisplayName("O-5: a watcher that is deleted while nobody has it ends, and never runs again")
    void o5_deletedWhileItMoves() {
        Process one = world.start("one", 1);
        world.run(MOMENT);
        create("a");
        world.run(MOMENT);
        Process two = world.start("two", 1);
        world.run(MOMENT);

        world.kill(one);
        assertThat(two.watchers.delete("a")).isEqualTo(Answer.STOPPING);
        Instant since = now();
        world.run(Duration.ofMinutes(30));

        assertThat(world.watcher("a").status()).isEqualTo(WatcherStatus.DELETED);
        assertThat(world.takersSince(since)).isEmpty();
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
    @DisplayName("O-14: the watchers of a process that stops in order move at once")
    void o14_farewell() {
        Process one = world.start("one", 2);
        world.run(MOMENT);
        create("a", "b");
        world.run(MOMENT);
        world.start("two", 2);
        world.run(MOMENT);

        one.stop();
        Instant since = now();
        world.run(Duration.ofSeconds(15));

        assertThat(world.takersSince(since)).containsOnly(Map.entry("a", Set.of("two")), Map.entry("b", Set.of("two")));
        assertThat(world.services())
                .filteredOn(WatchService::deleted)
                .extracting(WatchService::name)
                .containsExactly("one");
        assertRunning("a", "b");
    }

    @Test
    @DisplayName("a process whose last watcher is deleted stays among the living, and takes others")
    void withoutAWatcherItLivesOn() {
        world.start("one", 1);
        world.run(MOMENT);
        create("a");
        world.run(MOMENT);
        Process two = world.start("two", 1);
        world.run(MOMENT);
        create("b");
        world.run(MOMENT);

        assertThat(world.watchers().delete("a")).isEqualTo(Answer.STOPPING);
        world.run(Duration.ofHours(1));
        assertThat(world.services()).extracting(WatchService::deleted).containsOnly(false);
        two.stop();
        Instant since = now();
        world.run(Duration.ofMinutes(1));

        assertThat(world.takersSince(since)).containsOnly(Map.entry("b", Set.of("one")));
        assertThat(world.services())
                .filteredOn(service -> !service.deleted())
                .extracting(WatchService::name)
                .containsExactly("one");
    }

    @Test
    @DisplayName("a process that is taken for dead while it holds no watcher is born again")
    void deadWithoutAWatcher() {
        world.start("one", 2);
        world.run(MOMENT);
        create("a");
        world.run(MOMENT);
        world.start("two", 2);
        world.run(MOMENT);
        WatcherStore store = new WatcherStore(world.storage.storage());
        store.readAll().services().stream()
                .filter(read -> read.value().name().equals("two"))
                .forEach(read -> store.replace(read.value().dead(now()), read.etag()));

        create("b");
        world.run(Duration.ofMinutes(10));
        create("c");
        world.run(Duration.ofMinutes(10));

        assertThat(world.services())
                .filteredOn(service -> !service.deleted())
                .extracting(WatchService::name)
                .containsExactlyInAnyOrder("one", "two");
        assertRunning("a", "b", "c");
    }

    @Test
    @DisplayName("a process that dies in the middle of its farewell is missed all the same")
    void halfAFarewell() {
        world.start("manager", 1);
        world.run(MOMENT);
        create("a");
        world.run(MOMENT);
        Process two = world.start("two", 1);
        world.run(MOMENT);
        create("b");
        world.run(MOMENT);
        world.start("three", 1);
        world.run(Duration.ofMinutes(2));
        WatcherStore store = new WatcherStore(world.storage.storage());

        world.kill(two);
        store.readAll().services().stream()
                .filter(read -> read.value().name().equals("two"))
                .forEach(read -> store.replace(read.value().dead(now()), read.etag()));
        Instant since = now();
        world.run(Duration.ofMinutes(6));

        assertThat(world.takersSince(since)).containsEntry("b", Set.of("three"));
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

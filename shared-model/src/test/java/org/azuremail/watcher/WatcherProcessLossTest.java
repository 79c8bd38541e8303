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

/** Checks that watchers move when processes die or stop, and that each process counts as long as it lives. */
class WatcherProcessLossTest extends OnWatchers {

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
}

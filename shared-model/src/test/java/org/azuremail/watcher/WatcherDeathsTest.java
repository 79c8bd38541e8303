package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.azuremail.watcher.WatcherWorld.Process;
import org.azuremail.watcher.Watchers.Answer;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks processes that die, or almost appear dead: watchers of dead processes move, and those of live ones stay. */
class WatcherDeathsTest extends OnWatchers {

    @Test
    @DisplayName("O-10: a process that never comes back is marked, and its slots no longer count")
    void o10_neverBack() {
        Process one = world.start("one", 5);
        world.start("two", 1);
        world.run(MOMENT);

        world.kill(one);
        world.run(Duration.ofMinutes(20));
        create("a");
        world.run(TAKE_OVER);

        assertServices(Map.of("two", 1));
        assertThat(world.services())
                .filteredOn(WatchService::deleted)
                .extracting(WatchService::name)
                .containsExactly("one");
        assertRunning("a");
    }

    @Test
    @DisplayName("O-10: a process without watchers that never comes back is missed by its heartbeat")
    void o10_neverBackWithoutWatchers() {
        world.start("one", 1);
        world.run(MOMENT);
        create("a");
        world.run(MOMENT);
        Process idle = world.start("idle", 5);
        world.run(MOMENT);
        assertServices(Map.of("one", 1, "idle", 5));

        world.kill(idle);
        world.run(Instances.LIVE.plus(Instances.CACHE_TTL).plus(Duration.ofMinutes(1)));

        assertServices(Map.of("one", 1));
        assertThat(world.watchers().create("b", "recording", Map.of())).isEqualTo(Answer.NO_SLOT);
    }

    @Test
    @DisplayName("O-10: where no watcher exists, a process that never comes back is marked when its death is known")
    void o10_neverBackWhereThereIsNoWatcher() {
        Process one = world.start("one", 1);
        Process lost = world.start("lost", 5);
        world.run(MOMENT);

        world.kill(lost);
        world.run(Duration.ofMinutes(20));
        Signals.RUN_AFTER_DEATH.forEach(one::runSoon);
        world.run(MOMENT);

        assertServices(Map.of("one", 1));
    }

    @Test
    @DisplayName("O-10: watchers that are given to a process whose death nobody has noticed move within half a lease")
    void o10_givenToTheDead() {
        Process dead = world.start("dead", 5);
        world.start("one", 2);
        world.run(MOMENT);

        world.kill(dead);
        create("a");
        world.run(MOMENT);
        assertThat(service(world.watcher("a")).name()).isEqualTo("dead");
        world.run(TAKE_OVER);

        assertRunning("a");
        assertServices(Map.of("one", 2));
    }

    @Test
    @DisplayName("O-10, O-11: a process that takes its watchers up at the last moment is not taken for dead")
    void o10_takenUpAtTheLastMoment() {
        Process manager = world.start("manager", 1);
        Process slow = slow();
        slow.outOfReach = true;
        create("a");
        world.run(MOMENT);
        manager.onceWatchersAreRead = () -> backInReach(slow);

        assertNotTakenForDead(slow);
    }

    @Test
    @DisplayName("O-11: a process that renews its ended lease at the last moment keeps its watchers")
    void o11_renewedAtTheLastMoment() {
        Process manager = world.start("manager", 1);
        Process slow = slow();
        create("a");
        world.run(MOMENT);
        slow.outOfReach = true;
        manager.onceProcessesAreRead = () -> {
            Instant end = service(world.watcher("a")).leaseEnd();
            if (end != null && !end.plusSeconds(60).isAfter(now())) {
                backInReach(slow);
            }
        };

        assertNotTakenForDead(slow);
    }

    @Test
    @DisplayName("O-10, O10: of two births under one name the older has died, however long its lease lasts")
    void o10_bornAgain() {
        world.start("manager", 1);
        world.run(MOMENT);
        create("m");
        world.run(MOMENT);
        Process one = world.start("one", 2);
        world.run(MOMENT);
        create("a", "b");
        world.run(MOMENT);
        String before = service(world.watcher("a")).id();
        assertThat(service(world.watcher("a")).name()).isEqualTo("one");

        world.kill(one);
        world.start("one", 2);
        Instant since = now();
        world.run(Duration.ofSeconds(15));

        assertThat(world.takersSince(since)).containsEntry("a", Set.of("one")).containsEntry("b", Set.of("one"));
        assertThat(world.services())
                .filteredOn(WatchService::deleted)
                .extracting(WatchService::id)
                .containsExactly(before);
        assertRunning("m", "a", "b");
        assertServices(Map.of("manager", 1, "one", 2));
    }

    @Test
    @DisplayName(
            "O-10: a process that was just born is not taken for dead by a manager whose list of processes is older")
    void o10_justBorn() {
        world.lease = Duration.ofSeconds(10);
        world.start("one", 1);
        world.run(MOMENT);
        create("a");
        for (int births = 0; births < 6; births++) {
            world.start("more" + births, 1);
            world.run(Duration.ofSeconds(15));
        }

        assertThat(world.services()).hasSize(7).noneMatch(WatchService::deleted);
        assertThat(world.watchers().capacity().slots()).isEqualTo(7);
    }

    @Test
    @DisplayName("O-10: a manager that slept leaves the watchers of a process that was born meanwhile alone")
    void o10_bornWhileTheManagerSlept() {
        Process manager = world.start("manager", 1);
        world.run(MOMENT);
        create("a");
        world.run(MOMENT);
        manager.onceProcessesAreRead = () -> {
            manager.onceProcessesAreRead = () -> {};
            world.time.advance(TAKE_OVER);
            Process young = world.start("young", 5);
            young.instances.heartbeat();
            young.host.turn(true);
            young.manager.runSoon();
            create("new", "ends");
            world.time.advance(MOMENT);
            young.manager.runSoon();
            young.host.turn(true);
            assertThat(young.watchers.delete("ends")).isEqualTo(Answer.STOPPING);
        };

        manager.runSoon(WatcherPlacer.NAME);
        manager.manager.runSoon();

        assertThat(read("new", "ends"))
                .allSatisfy(watcher -> assertThat(service(watcher).name()).isEqualTo("young"));
        world.run(TAKE_OVER);
        assertThat(world.watcher("ends").status()).isEqualTo(WatcherStatus.DELETED);
        assertRunning("a", "new");
    }

    private Process slow() {
        world.run(MOMENT);
        Process slow = world.start("slow", 5);
        world.run(MOMENT);
        return slow;
    }

    private static void backInReach(Process slow) {
        if (slow.outOfReach) {
            slow.outOfReach = false;
            slow.host.turn(true);
        }
    }

    private void assertNotTakenForDead(Process slow) {
        assertThat(service(world.watcher("a")).name()).isEqualTo("slow");

        world.run(TAKE_OVER);

        assertThat(slow.outOfReach)
                .as("the manager has not come to that moment")
                .isFalse();
        assertThat(service(world.watcher("a")).name()).isEqualTo("slow");
        assertRunning("a");
    }
}

package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.watcher.WatcherWorld.Process;
import org.azuremail.watcher.WatcherWorld.Turn;
import org.azuremail.watcher.Watchers.Answer;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Source 001's scenarios, on driven processes: what O-1 to O-15 say. */
class WatcherScenariosTest {

    private static final Duration MOMENT = Duration.ofSeconds(5);

    /** A lease, two clocks' difference, and a look of the manager. */
    private static final Duration TAKE_OVER = Duration.ofMinutes(7);

    private final WatcherWorld world = new WatcherWorld();

    private void create(String... names) {
        for (String name : names) {
            assertThat(world.watchers().create(name, "recording", Map.of()))
                    .as(name)
                    .isEqualTo(Answer.CREATED);
        }
    }

    private Instant now() {
        return world.time.instant();
    }

    /** Each runs, on one process that lives, and nothing ran twice. */
    private void assertRunning(String... names) {
        Instant since = now();
        world.run(Duration.ofMinutes(2));
        for (String name : names) {
            Watcher watcher = world.watcher(name);
            assertThat(watcher.status()).as(name).isEqualTo(WatcherStatus.PROCESSING);
            assertThat(world.takersSince(since).get(name)).as(name).hasSize(1);
            assertThat(service(watcher).deleted()).as("the process of " + name).isFalse();
            assertThat(world.takersSince(since).get(name))
                    .containsExactly(service(watcher).name());
        }
        assertThat(world.doubled()).isEmpty();
    }

    private WatchService service(Watcher watcher) {
        return world.services().stream()
                .filter(service -> service.id().equals(watcher.serviceId()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("O1, O2, O6, O11: watchers are created while all runs, each on a process of its own")
    void o11_createdThenProcessing() {
        world.start("one", 1);
        world.start("two", 1);
        world.start("three", 1);
        world.run(MOMENT);

        create("first", "second");
        assertThat(world.watcher("first").status()).isEqualTo(WatcherStatus.CREATED);
        world.run(MOMENT);

        assertRunning("first", "second");
        assertThat(world.watcher("first").serviceId())
                .isNotEqualTo(world.watcher("second").serviceId());
        assertThat(world.watchers().create("first", "recording", Map.of())).isEqualTo(Answer.NAME_TAKEN);
        create("third");
        assertThat(world.watchers().create("fourth", "recording", Map.of())).isEqualTo(Answer.NO_SLOT);
    }

    @Test
    void aKindBringsTheNextTurnForwardAndIsToldWhenItIsAllOver() {
        world.start("one", 5);
        world.run(MOMENT);
        create("slow", "eager");
        world.run(Duration.ofMinutes(10));
        assertThat(world.turns.stream().filter(turn -> turn.watcher().equals("slow")))
                .hasSize(1);
        assertThat(world.turns.stream().filter(turn -> turn.watcher().equals("eager")))
                .as("told before the turn has ended")
                .hasSizeGreaterThan(60);
        world.heres.get("slow").wakeIn(Duration.ofSeconds(5));
        world.run(Duration.ofSeconds(7));
        assertThat(world.turns.stream().filter(turn -> turn.watcher().equals("slow")))
                .hasSize(2);
        assertThat(world.left()).isEmpty();
        world.watchers().delete("slow");
        world.run(MOMENT);
        assertThat(world.left()).containsExactly("slow");
        world.processes.get("one").stop();
        assertThat(world.left()).containsExactlyInAnyOrder("slow", "eager");
        world.heres.get("slow").wakeIn(Duration.ZERO);
    }

    @Test
    @DisplayName("new settings do not change since when a watcher runs where it runs; another process does")
    void sinceWhenItIsWhereItIs() {
        Process one = world.start("one", 1);
        world.run(MOMENT);
        create("a");
        world.run(MOMENT);
        Instant placed = world.watcher("a").placedAt();
        assertThat(placed).isNotNull();
        world.run(Duration.ofMinutes(20));
        assertThat(one.watchers.configure("a", null, Map.of("any", "other"))).isEqualTo(Answer.SAVED);
        world.run(Duration.ofMinutes(20));
        assertThat(world.watcher("a").placedAt()).isEqualTo(placed);
        assertThat(world.watcher("a").modifyAt()).isAfter(placed);

        world.start("two", 1);
        world.run(MOMENT);
        world.kill(one);
        world.run(TAKE_OVER);
        assertThat(world.watcher("a").placedAt()).isAfter(placed.plus(Duration.ofMinutes(40)));
    }

    @Test
    @DisplayName("O-1: after an outage of the storage each watcher runs once, without a person's help")
    void o1_theStorageIsAway() {
        Process one = world.start("one", 2);
        Process two = world.start("two", 2);
        world.run(MOMENT);
        create("a", "b", "c");
        world.run(MOMENT);

        one.outOfReach = true;
        two.outOfReach = true;
        world.run(Duration.ofSeconds(60));
        one.outOfReach = false;
        two.outOfReach = false;
        world.run(Duration.ofMinutes(1));

        assertRunning("a", "b", "c");
    }

    @Test
    @DisplayName("O-2: after a blackout, whatever starts first, all watchers run again, as old as they were")
    void o2_blackout() {
        Process one = world.start("one", 2);
        Process two = world.start("two", 2);
        world.run(MOMENT);
        create("a", "b", "c");
        world.run(MOMENT);
        Instant created = world.watcher("a").createdAt();
        String before = world.watcher("a").serviceId();

        world.kill(one);
        world.kill(two);
        world.run(Duration.ofHours(1));
        world.start("two", 2);
        world.run(Duration.ofMinutes(1));
        world.start("one", 2);
        world.run(TAKE_OVER);

        assertRunning("a", "b", "c");
        assertThat(world.watcher("a").createdAt()).isEqualTo(created);
        assertThat(world.watcher("a").serviceId()).isNotEqualTo(before);
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
        world.run(TAKE_OVER);

        assertRunning("a", "b");
        create("c");
        assertThat(world.services().stream().filter(service -> !service.deleted()))
                .extracting(WatchService::name)
                .containsExactly("next");
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
    @DisplayName("O-5, O13: the manager repeats a stop that its process did not hear")
    void o5_theStopIsSaidAgain() {
        world.start("one", 1);
        world.run(MOMENT);
        world.start("two", 1);
        world.run(MOMENT);
        create("a", "b");
        world.run(MOMENT);
        String manager =
                new WatcherStore(world.storage.storage()).look().counts().manager();
        Watcher elsewhere = Stream.of("a", "b")
                .map(world::watcher)
                .filter(watcher -> !service(watcher).instance().equals(manager))
                .findFirst()
                .orElseThrow();
        Process host = world.processes.get(service(elsewhere).name());

        host.deaf = true;
        Process desk = world.processes.get(host.name.equals("one") ? "two" : "one");
        assertThat(desk.watchers.delete(elsewhere.name())).isEqualTo(Answer.STOPPING);
        world.run(MOMENT);
        assertThat(world.watcher(elsewhere.name()).status()).isEqualTo(WatcherStatus.ON_DELETING);
        host.deaf = false;
        world.run(Duration.ofSeconds(25));

        assertThat(world.watcher(elsewhere.name()).status()).isEqualTo(WatcherStatus.DELETED);
    }

    @Test
    @DisplayName("O-6, O-7, O-8, A27: the answers to a deletion")
    void o6_theAnswersToADeletion() {
        Process one = world.start("one", 1);
        world.run(MOMENT);
        create("a");

        assertThat(one.watchers.delete("nobody")).isEqualTo(Answer.MISSING);
        assertThat(one.watchers.delete("a")).isEqualTo(Answer.NOT_ACTIVATED);
        world.run(MOMENT);
        assertThat(one.watchers.withdraw("a")).isEqualTo(Answer.NOT_WAITING);
        assertThat(one.watchers.delete("a")).isEqualTo(Answer.STOPPING);
        assertThat(one.watchers.delete("a")).isEqualTo(Answer.ALREADY_REQUESTED);
        world.run(MOMENT);
        assertThat(one.watchers.delete("a")).isEqualTo(Answer.DELETED);

        create("a");
        assertThat(one.watchers.withdraw("a")).isEqualTo(Answer.WITHDRAWN);
        Instant since = now();
        world.run(Duration.ofMinutes(5));
        assertThat(world.watcher("a").status()).isEqualTo(WatcherStatus.DELETED);
        assertThat(world.takersSince(since)).isEmpty();
    }

    @Test
    @DisplayName("O13: a watcher that was stopped is created again with the settings that it had")
    void o13_createdAgain() {
        Process one = world.start("one", 1);
        world.run(MOMENT);
        assertThat(one.watchers.create("a", "recording", Map.of("any", "value")))
                .isEqualTo(Answer.CREATED);
        assertThat(one.watchers.createAgain("a")).isEqualTo(Answer.NOT_DELETED);
        assertThat(one.watchers.createAgain("nobody")).isEqualTo(Answer.MISSING);
        world.run(MOMENT);
        Instant created = world.watcher("a").createdAt();
        assertThat(one.watchers.delete("a")).isEqualTo(Answer.STOPPING);
        world.run(MOMENT);

        assertThat(one.watchers.createAgain("a")).isEqualTo(Answer.CREATED);
        world.run(MOMENT);
        assertRunning("a");
        assertThat(world.watcher("a").settings()).containsExactly(Map.entry("any", "value"));
        assertThat(world.watcher("a").createdAt()).isAfter(created);
    }

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

        assertThat(world.services())
                .filteredOn(service -> service.name().equals("one"))
                .allMatch(WatchService::deleted);
        assertThat(world.watchers().capacity().slots()).isEqualTo(1);
        assertRunning("a");
    }

    @Test
    @DisplayName("O-10, O10: of two births under one name the older has died")
    void o10_bornAgain() {
        Process one = world.start("one", 2);
        world.run(MOMENT);
        create("a");
        world.run(MOMENT);

        world.kill(one);
        world.start("one", 2);
        world.run(TAKE_OVER);

        assertRunning("a");
        assertThat(world.services())
                .hasSize(2)
                .filteredOn(WatchService::deleted)
                .hasSize(1);
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
    @DisplayName(
            "O-12, O3, O7: a watcher that fails is tried again by its kind's rule, then waits for a restart; others go on")
    void o12_failing() {
        Process one = world.start("one", 2);
        world.run(MOMENT);
        create("bad", "good");
        world.run(Duration.ofHours(3));

        assertThat(world.turns.stream().filter(turn -> turn.watcher().equals("bad")))
                .hasSize(6);
        assertThat(world.watcher("bad").progress().failed()).isTrue();
        assertThat(world.watcher("bad").progress().result().words()).isEqualTo("always");
        assertThat(one.watchers.troubled()).extracting(Watcher::name).containsExactly("bad");
        assertThat(world.called).as("the admins are told").contains(Signals.ATTENTION);
        assertRunning("good");
        create("next");
        assertThat(one.watchers.restart("good")).isEqualTo(Answer.NOT_FAILED);
        assertThat(one.watchers.delete("next")).isEqualTo(Answer.NOT_ACTIVATED);
        assertThat(one.watchers.withdraw("next")).isEqualTo(Answer.WITHDRAWN);

        Instant since = now();
        assertThat(one.watchers.restart("bad")).isEqualTo(Answer.RESTARTED);
        world.run(Duration.ofMinutes(2));
        assertThat(world.takersSince(since)).containsKey("bad");
    }

    @Test
    @DisplayName("the trouble of a watcher that goes on by itself is shown, and costs no more than turns without news")
    void troubleIsNotedOnce() {
        Process one = world.start("one", 2);
        world.run(MOMENT);
        create("odd", "good");
        world.run(Duration.ofMinutes(2));
        assertThat(one.watchers.troubled()).extracting(Watcher::name).containsExactly("odd");
        assertThat(world.watcher("odd").failed()).isFalse();
        long calls = world.storage.calls();
        world.run(Duration.ofMinutes(2));
        assertThat(world.storage.calls() - calls).isLessThan(12);
        assertRunning("odd", "good");
    }

    @Test
    @DisplayName(
            "O5: a process refuses the watcher that a manager gave it without knowing that its last slot was taken")
    void o5_twoManagersFillTheSameSlot() {
        Process full = world.start("one", 1);
        world.run(MOMENT);
        WatcherStore store = new WatcherStore(world.storage.storage());
        WatchService one = world.services().get(0);
        for (String name : List.of("a", "b")) {
            Watcher placed = Watcher.created(name, "recording", Map.of(), Map.of(), now())
                    .on(one.id(), now());
            assertThat(store.insert(placed).done()).isPresent();
        }
        store.count(WatcherStore.Counts::oneMoreCommand);
        full.runSoon(WatcherHost.NAME);
        world.run(Duration.ofMinutes(5));

        Instant since = now();
        world.run(Duration.ofMinutes(1));
        assertThat(world.takersSince(since)).hasSize(1);
        assertThat(world.watchers().capacity().waiting()).isEqualTo(1);
        world.start("two", 1);
        world.run(TAKE_OVER);
        assertRunning("a", "b");
    }

    @Test
    @DisplayName("O-13, A31: of two watchers created for the last slot one waits, and none is lost")
    void o13_theLastSlot() {
        Process one = world.start("one", 1);
        world.run(MOMENT);
        boolean[] raced = new boolean[1];
        world.storage.hook(new org.azuremail.storage.simulated.CallHook() {
            @Override
            public void before(Call call) {
                boolean inserts = call.kind() == Call.Kind.WRITE && call.place().equals(WatcherStore.WATCHER);
                if (inserts && !raced[0]) {
                    raced[0] = true;
                    create("b");
                }
            }
        });
        create("a");
        world.storage.hook(org.azuremail.storage.simulated.CallHook.NONE);
        world.run(Duration.ofMinutes(2));

        assertThat(raced[0]).isTrue();
        assertThat(List.of(world.watcher("a").status(), world.watcher("b").status()))
                .containsExactlyInAnyOrder(WatcherStatus.CREATED, WatcherStatus.PROCESSING);
        assertThat(one.watchers.capacity().waiting()).isEqualTo(1);
        world.start("two", 1);
        world.run(MOMENT);
        assertRunning("a", "b");
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
        store.look().services().stream()
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
        store.look().services().stream()
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
        world.start("two", 1);
        world.run(MOMENT);
        create("other");
        world.run(Duration.ofHours(1));

        assertThat(world.takersSince(Instant.EPOCH)).containsOnlyKeys("other");
        one.holdsTurnsBack = false;
        one.heldBack.forEach(Runnable::run);
        assertThat(world.watcher("long").progress().result().none()).isTrue();
        assertRunning("long", "other");
    }

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
    @DisplayName("A70, O-12: turns without news that are not written yet do not make failures forgotten")
    void o12_failingAfterTurnsWithoutNews() {
        world.start("one", 10);
        world.run(MOMENT);
        create("late", "good");
        world.run(Duration.ofMinutes(8));

        world.failing.add("late");
        Instant since = now();
        world.run(Duration.ofHours(3));

        assertThat(world.turns.stream()
                        .filter(turn -> turn.watcher().equals("late"))
                        .filter(turn -> turn.at().isAfter(since)))
                .hasSize(6);
        assertThat(world.watcher("late").progress().failed()).isTrue();
        assertRunning("good");
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

    /** The process dies at each of its storage calls in turn, or an answer is lost: everything is as it should be in the end. */
    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-9, I6: whatever call a process dies at, one watcher runs once and the deleted one never again")
    void o9_everyCall(Mode mode) {
        long at = 0;
        boolean happened = true;
        while (happened) {
            at++;
            happened = livesThrough(mode, at);
            assertThat(at).isLessThan(500);
        }
        assertThat(at).isGreaterThan(30);
    }

    private boolean livesThrough(Mode mode, long at) {
        WatcherWorld each = new WatcherWorld();
        Faults faults = new Faults(mode, at, () -> {});
        each.start("frail", 2, faults);
        each.run(MOMENT);
        Process firm = each.start("firm", 2);
        each.run(Duration.ofMinutes(1));
        createWhenReady(each, firm, "kept");
        createWhenReady(each, firm, "ended");
        each.run(Duration.ofMinutes(1));
        firm.watchers.delete("ended");
        each.run(Duration.ofMinutes(30));
        if (each.watcher("ended").status() == WatcherStatus.PROCESSING
                || each.watcher("ended").status() == WatcherStatus.CREATED) {
            firm.watchers.delete("ended");
        }
        Instant since = each.time.instant();
        each.run(Duration.ofMinutes(30));

        String when = mode + " at call " + at;
        assertThat(each.watcher("ended").status()).as(when).isEqualTo(WatcherStatus.DELETED);
        assertThat(each.watcher("kept").status()).as(when).isEqualTo(WatcherStatus.PROCESSING);
        assertThat(each.takersSince(since).get("kept")).as(when).hasSize(1);
        assertThat(each.turns.stream().filter(turn -> turn.at().isAfter(since)).map(Turn::watcher))
                .as(when)
                .containsOnly("kept");
        assertThat(each.doubled()).as(when).isEmpty();
        return faults.calls() >= at;
    }

    @ParameterizedTest
    @CsvSource({
        "DIES_BEFORE, 1",
        "DIES_AFTER, 1",
        "FAILS, 1",
        "FAILS, 12",
        "ANSWER_LOST, 1",
        "ANSWER_LOST, 12",
        "REPEATED, 1"
    })
    @DisplayName("O-3, I6: whatever calls go wrong while a process is lost, what it held moves")
    void o3_everyCall(Mode mode, int calls) {
        long at = 0;
        boolean happened = true;
        while (happened) {
            at++;
            happened = lossIsDealtWith(mode, at, calls);
            assertThat(at).isLessThan(1_000);
        }
        assertThat(at).isGreaterThan(30);
    }

    private static boolean lossIsDealtWith(Mode mode, long at, int calls) {
        WatcherWorld each = new WatcherWorld();
        Faults faults = new Faults(mode, at, () -> {}).lasting(calls);
        faults.disarm();
        each.start("frail", 2, faults);
        each.run(MOMENT);
        each.start("firm", 4);
        Process lost = each.start("lost", 2);
        each.run(Duration.ofMinutes(1));
        for (String name : List.of("a", "b", "c", "d", "e", "f")) {
            createWhenReady(each, lost, name);
        }
        each.run(Duration.ofMinutes(1));
        assertThat(each.takersSince(Instant.EPOCH).values()).contains(Set.of("lost"));
        each.kill(lost);
        faults.arm();
        each.run(Duration.ofMinutes(20));
        boolean happened = faults.calls() >= at;
        faults.disarm();
        each.run(Duration.ofMinutes(20));

        Instant since = each.time.instant();
        each.run(Duration.ofMinutes(5));
        String when = mode + " at call " + at;
        Map<String, Set<String>> takers = each.takersSince(since);
        assertThat(takers).as(when).hasSize(happened && mode.dies() ? 4 : 6);
        assertThat(takers.values())
                .as(when)
                .allSatisfy(its -> assertThat(its).hasSize(1).doesNotContain("lost"));
        assertThat(each.doubled()).as(when).isEmpty();
        return happened;
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-5, O-11, I6: whatever call of a command its process dies at, what is written is done")
    void o5_everyCallOfACommand(Mode mode) {
        long at = 0;
        boolean happened = true;
        while (happened) {
            at++;
            happened = commandsAreDone(mode, at);
            assertThat(at).isLessThan(100);
        }
        assertThat(at).isGreaterThan(8);
    }

    private static boolean commandsAreDone(Mode mode, long at) {
        WatcherWorld each = new WatcherWorld();
        Process host = each.start("host", 4);
        each.run(MOMENT);
        createWhenReady(each, host, "ending");
        createWhenReady(each, host, "kept");
        each.run(Duration.ofMinutes(20));
        Faults faults = new Faults(mode, at, () -> {});
        faults.disarm();
        Process desk = each.start("desk", 1, faults);
        each.run(Duration.ofMinutes(1));
        faults.arm();
        try {
            desk.watchers.create("begun", "recording", Map.of());
            desk.watchers.delete("ending");
        } catch (ProcessDied dead) {
            each.kill(desk);
        } catch (StorageException nobodyKnows) {
            // The person does not try again.
        }
        boolean happened = faults.calls() >= at;
        faults.disarm();
        boolean begun = each.storage
                .storage()
                .tables()
                .get(WatcherStore.WATCHER, ".all", "begun")
                .isPresent();
        boolean ends = each.watcher("ending").status() == WatcherStatus.ON_DELETING;
        each.run(Duration.ofMinutes(45));

        String when = mode + " at call " + at;
        if (begun) {
            assertThat(each.watcher("begun").status()).as(when).isEqualTo(WatcherStatus.PROCESSING);
        }
        assertThat(each.watcher("ending").status())
                .as(when)
                .isEqualTo(ends ? WatcherStatus.DELETED : WatcherStatus.PROCESSING);
        assertThat(each.watcher("kept").status()).as(when).isEqualTo(WatcherStatus.PROCESSING);
        return happened;
    }

    /** A manager that died is missed until its lease is over. */
    private static void createWhenReady(WatcherWorld each, Process firm, String name) {
        Answer answer = firm.watchers.create(name, "recording", Map.of());
        for (int tries = 0; tries < 10 && answer == Answer.NOT_READY; tries++) {
            each.run(Duration.ofMinutes(1));
            answer = firm.watchers.create(name, "recording", Map.of());
        }
        assertThat(answer).isEqualTo(Answer.CREATED);
    }
}

package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.watcher.WatcherWorld.Process;
import org.azuremail.watcher.Watchers.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Plays source 001's scenarios with a fault at one storage call of the process called frail: at each call in turn, in
 * each mode.
 */
class WatcherFaultWalkIT {

    private static final Duration MOMENT = Duration.ofSeconds(5);
    private static final Duration TAKE_OVER = Duration.ofMinutes(7);
    private static final Duration SETTLED = Duration.ofMinutes(20);

    private interface Scene {

        void play(Walk walk);
    }

    private static void everyCall(Mode mode, int least, Scene scene) {
        everyCall(mode, 1, least, scene);
    }

    /**
     * Plays a scene repeatedly, with the fault one call later each time, until it ends before the fault.
     *
     * @param calls the number of successive calls that fail
     * @param least the least number of calls at which a fault is possible
     */
    private static void everyCall(Mode mode, int calls, int least, Scene scene) {
        long at = 0;
        boolean happened = true;
        while (happened) {
            at++;
            Walk walk = new Walk(mode, at, calls);
            scene.play(walk);
            happened = walk.faults.calls() >= at;
            assertThat(at).isLessThan(1_000);
        }
        assertThat(at).as("calls").isGreaterThan(least);
    }

    /** One run of a scene. */
    private static final class Walk {

        private final WatcherWorld world = new WatcherWorld();
        private final Faults faults;
        private final Mode mode;
        private final String when;

        Walk(Mode mode, long at, int calls) {
            this.mode = mode;
            faults = new Faults(mode, at, () -> {}).lasting(calls);
            faults.disarm();
            when = mode + " at call " + at;
        }

        Process start(String name, int slots) {
            Process process = world.start(name, slots);
            world.run(MOMENT);
            return process;
        }

        /** Starts the process whose calls fail once {@link #goesWrongFor} begins. */
        Process frail(int slots) {
            Process process = bearFrail(slots);
            world.run(MOMENT);
            return process;
        }

        /** Starts the same process as {@link #frail}, but its first calls may already fail. */
        Process bearFrail(int slots) {
            return world.start("frail", slots, faults);
        }

        void goesWrongFor(Duration duration) {
            faults.arm();
            world.run(duration);
            faults.disarm();
        }

        /** Lets calls fail for a time. When all have settled, checks that each watcher runs on a live process. */
        void goesWrongThenRuns(Duration duration, String... names) {
            goesWrongFor(duration);
            world.run(SETTLED);
            assertRunning(names);
        }

        boolean frailIsDead() {
            return mode.dies() && faults.calls() > 0 && !world.processes.containsKey("frail");
        }

        /** Creates watchers. After a manager died, this takes until its lease has ended. */
        void create(Process desk, String... names) {
            for (String name : names) {
                Answer answer = desk.watchers.create(name, "recording", Map.of());
                for (int tries = 0; tries < 10 && answer == Answer.NOT_READY; tries++) {
                    world.run(Duration.ofMinutes(1));
                    answer = desk.watchers.create(name, "recording", Map.of());
                }
                assertThat(answer).as(when).isEqualTo(Answer.CREATED);
            }
            world.run(MOMENT);
        }

        /**
         * Checks that each watcher runs on one live process, which its row names, and that none ran twice at the same
         * time.
         */
        void assertRunning(String... names) {
            Instant since = world.time.instant();
            world.run(Duration.ofMinutes(2));
            Map<String, Set<String>> takers = world.takersSince(since);
            for (String name : names) {
                Watcher watcher = world.watcher(name);
                assertThat(watcher.status()).as("%s, %s", name, when).isEqualTo(WatcherStatus.PROCESSING);
                assertThat(takers).as(when).containsKey(name);
                assertThat(takers.get(name))
                        .as("%s, %s", name, when)
                        .containsExactly(living().filter(service -> service.id().equals(watcher.serviceId()))
                                .map(WatchService::name)
                                .findFirst()
                                .orElse("nobody"));
            }
            assertThat(world.doubled()).as(when).isEmpty();
        }

        boolean exists(String name) {
            return new WatcherStore(world.storage.storage()).find(name).isPresent();
        }

        Stream<WatchService> living() {
            return world.services().stream().filter(service -> !service.deleted());
        }

        /** Checks that the live services are those of the live processes, each once. */
        void assertServicesAreProcesses() {
            assertThat(living().map(WatchService::name))
                    .as(when)
                    .containsExactlyInAnyOrderElementsOf(world.processes.keySet());
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-1: a call goes wrong after an outage of the storage")
    void o1_everyCall(Mode mode) {
        everyCall(mode, 10, walk -> {
            Process frail = walk.frail(4);
            Process firm = walk.start("firm", 4);
            walk.create(firm, "a", "b", "c", "d");
            frail.outOfReach = true;
            firm.outOfReach = true;
            walk.world.run(Duration.ofSeconds(60));
            frail.outOfReach = false;
            firm.outOfReach = false;
            walk.goesWrongThenRuns(Duration.ofMinutes(10), "a", "b", "c", "d");
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-2: a call goes wrong at the start after a blackout")
    void o2_everyCall(Mode mode) {
        everyCall(mode, 10, walk -> {
            Process one = walk.start("frail", 4);
            Process two = walk.start("firm", 4);
            walk.create(two, "a", "b", "c");
            Instant created = walk.world.watcher("a").createdAt();
            walk.world.kill(one);
            walk.world.kill(two);
            walk.world.run(Duration.ofHours(1));
            walk.bearFrail(4);
            walk.goesWrongFor(Duration.ofMinutes(5));
            walk.start("firm", 4);
            walk.world.run(SETTLED);
            walk.assertRunning("a", "b", "c");
            walk.assertServicesAreProcesses();
            assertThat(walk.world.watcher("a").createdAt()).as(walk.when).isEqualTo(created);
        });
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
    @DisplayName("O-3, I6: the watchers of a lost process move, also if calls go wrong meanwhile")
    void o3_everyCall(Mode mode, int calls) {
        everyCall(mode, calls, 30, walk -> {
            walk.frail(2);
            walk.start("firm", 4);
            Process lost = walk.start("lost", 2);
            walk.create(lost, "a", "b", "c", "d", "e", "f");
            walk.world.run(Duration.ofMinutes(1));
            assertThat(walk.world.takersSince(Instant.EPOCH).values()).contains(Set.of("lost"));
            walk.world.kill(lost);
            walk.goesWrongFor(Duration.ofMinutes(20));
            walk.world.run(SETTLED);

            Instant since = walk.world.time.instant();
            walk.world.run(MOMENT.multipliedBy(60));
            Map<String, Set<String>> takers = walk.world.takersSince(since);
            assertThat(takers).as(walk.when).hasSize(walk.frailIsDead() ? 4 : 6);
            assertThat(takers.values())
                    .as(walk.when)
                    .allSatisfy(its -> assertThat(its).hasSize(1).doesNotContain("lost"));
            assertThat(walk.world.doubled()).as(walk.when).isEmpty();
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-4: a call of the new manager goes wrong, which has to hear of everybody before it takes commands")
    void o4_everyCall(Mode mode) {
        everyCall(mode, 10, walk -> {
            Process manager = walk.start("manager", 1);
            Process other = walk.start("other", 3);
            walk.create(manager, "a", "b");
            walk.world.kill(manager);
            walk.world.kill(other);
            walk.world.run(SETTLED);
            Process frail = walk.bearFrail(4);
            assertThat(frail.watchers.create("c", "recording", Map.of())).isEqualTo(Answer.NOT_READY);
            assertThat(frail.watchers.delete("a")).isEqualTo(Answer.NOT_READY);
            walk.goesWrongFor(Duration.ofMinutes(5));
            Process firm = walk.start("firm", 4);
            walk.world.run(SETTLED);
            walk.create(firm, "c");
            walk.assertRunning("a", "b", "c");
            walk.assertServicesAreProcesses();
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-5, O-11, I6: if a process dies at any call of a command, the written part is done")
    void o5_everyCallOfACommand(Mode mode) {
        everyCall(mode, 8, walk -> {
            Process host = walk.start("host", 4);
            walk.create(host, "ending", "kept");
            walk.world.run(SETTLED);
            Process frail = walk.frail(1);
            walk.faults.arm();
            try {
                frail.watchers.create("begun", "recording", Map.of());
                frail.watchers.delete("ending");
            } catch (ProcessDied dead) {
                walk.world.kill(frail);
            } catch (StorageException nobodyKnows) {
                // The admin does not try again.
            }
            walk.faults.disarm();
            boolean begun = walk.exists("begun");
            boolean ends = walk.world.watcher("ending").status() == WatcherStatus.ON_DELETING;
            walk.world.run(Duration.ofMinutes(45));

            if (begun) {
                walk.assertRunning("begun");
            }
            assertThat(walk.world.watcher("ending").status())
                    .as(walk.when)
                    .isEqualTo(ends ? WatcherStatus.DELETED : WatcherStatus.PROCESSING);
            walk.assertRunning("kept");
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-9, I6: if a process dies at any call, one watcher runs once and the deleted one never again")
    void o9_everyCall(Mode mode) {
        everyCall(mode, 30, walk -> {
            walk.faults.arm();
            walk.frail(2);
            Process firm = walk.start("firm", 2);
            walk.world.run(Duration.ofMinutes(1));
            walk.create(firm, "kept", "ended");
            walk.world.run(Duration.ofMinutes(1));
            firm.watchers.delete("ended");
            walk.world.run(Duration.ofMinutes(30));
            if (walk.world.watcher("ended").status().runs()) {
                firm.watchers.delete("ended");
            }
            Instant since = walk.world.time.instant();
            walk.world.run(Duration.ofMinutes(30));

            assertThat(walk.world.watcher("ended").status()).as(walk.when).isEqualTo(WatcherStatus.DELETED);
            assertThat(walk.world.takersSince(since)).as(walk.when).containsOnlyKeys("kept");
            walk.assertRunning("kept");
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-10: a call goes wrong of a process that is born again under its name")
    void o10_everyCall(Mode mode) {
        everyCall(mode, 10, walk -> {
            Process firm = walk.start("firm", 4);
            Process before = walk.start("frail", 4);
            walk.create(firm, "a", "b", "c", "d");
            walk.world.kill(before);
            walk.bearFrail(4);
            walk.goesWrongThenRuns(Duration.ofMinutes(10), "a", "b", "c", "d");
            walk.assertServicesAreProcesses();
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-11: a call goes wrong of a process that was cut off and comes back")
    void o11_everyCall(Mode mode) {
        everyCall(mode, 10, walk -> {
            Process frail = walk.frail(2);
            walk.create(frail, "a", "b");
            walk.start("firm", 2);
            frail.outOfReach = true;
            walk.world.run(TAKE_OVER);
            walk.assertRunning("a", "b");
            frail.outOfReach = false;
            walk.goesWrongThenRuns(Duration.ofMinutes(10), "a", "b");
            walk.assertServicesAreProcesses();
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName(
            "O-12: a call goes wrong while a watcher fails: it still ends in the failed list, and can be restarted")
    void o12_everyCall(Mode mode) {
        everyCall(mode, 10, walk -> {
            Process frail = walk.frail(2);
            walk.create(frail, "slow");
            Process firm = walk.start("firm", 2);
            walk.world.failing.add("late");
            walk.faults.arm();
            assertThat(firm.watchers.create("late", "recording", Map.of())).isEqualTo(Answer.CREATED);
            walk.goesWrongFor(Duration.ofMinutes(20));
            walk.world.run(Duration.ofHours(3));

            Watcher late = walk.world.watcher("late");
            assertThat(late.failed()).as(walk.when).isTrue();
            assertThat(late.serviceId()).as(walk.when).isEmpty();
            assertThat(walk.world.turns.stream().filter(turn -> turn.watcher().equals("late")))
                    .as("six, and one whose end nobody has written down, %s", walk.when)
                    .hasSizeBetween(6, 7);
            walk.world.failing.remove("late");
            assertThat(firm.watchers.restart("late")).isEqualTo(Answer.RESTARTED);
            walk.world.run(Duration.ofMinutes(2));
            walk.assertRunning("late");
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-13: a call goes wrong while two watchers are created for the last slot: neither is lost")
    void o13_everyCall(Mode mode) {
        everyCall(mode, 10, walk -> {
            Process frail = walk.frail(1);
            Process firm = walk.start("firm", 1);
            walk.create(firm, "first");
            ArrayDeque<String> second = new ArrayDeque<>(List.of("b"));
            walk.world.storage.hook(new CallHook() {
                @Override
                public void before(Call call) {
                    boolean inserts =
                            call.kind() == Call.Kind.WRITE && call.place().equals(WatcherStore.WATCHER);
                    if (inserts && !second.isEmpty()) {
                        firm.watchers.create(second.remove(), "recording", Map.of());
                    }
                }
            });
            walk.faults.arm();
            try {
                frail.watchers.create("a", "recording", Map.of());
            } catch (ProcessDied dead) {
                walk.world.kill(frail);
            } catch (StorageException nobodyKnows) {
                // The admin checks whether it exists.
            }
            walk.world.storage.hook(CallHook.NONE);
            walk.goesWrongFor(Duration.ofMinutes(2));
            String[] existing =
                    Stream.of("first", "a", "b").filter(walk::exists).toArray(String[]::new);
            walk.world.run(SETTLED);
            assertThat(walk.world.turns.stream()
                            .filter(turn ->
                                    turn.at().isAfter(walk.world.time.instant().minus(MOMENT.multipliedBy(3))))
                            .map(WatcherWorld.Turn::watcher)
                            .distinct())
                    .as("no more than there are slots, %s", walk.when)
                    .hasSizeLessThanOrEqualTo(walk.frailIsDead() ? 1 : 2);
            walk.start("more", 2);
            walk.world.run(SETTLED);
            walk.assertRunning(existing);
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-14: a call of the farewell goes wrong: the watchers move, at the latest when the lease is over")
    void o14_everyCall(Mode mode) {
        everyCall(mode, 3, walk -> {
            Process frail = walk.frail(2);
            walk.create(frail, "a", "b");
            walk.start("firm", 2);
            walk.faults.arm();
            try {
                frail.stop();
            } catch (ProcessDied | StorageException unfinished) {
                walk.world.kill(frail);
            }
            walk.faults.disarm();
            Instant since = walk.world.time.instant();
            walk.world.run(TAKE_OVER);
            walk.assertRunning("a", "b");
            assertThat(walk.world.takersSince(since).values()).as(walk.when).containsOnly(Set.of("firm"));
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-14: a call of the manager goes wrong while another process says farewell")
    void o14_everyCallOfTheManager(Mode mode) {
        everyCall(mode, 5, walk -> {
            walk.frail(1);
            walk.start("firm", 4);
            Process leaver = walk.start("leaver", 4);
            walk.create(leaver, "a", "b", "c", "d");
            leaver.stop();
            walk.goesWrongThenRuns(Duration.ofMinutes(5), "a", "b", "c", "d");
            walk.assertServicesAreProcesses();
        });
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("O-15: a call goes wrong during a turn of an hour: it is taken away only if its process dies")
    void o15_everyCall(Mode mode) {
        everyCall(mode, 10, walk -> {
            Process frail = walk.frail(1);
            frail.holdsTurnsBack = true;
            walk.create(frail, "long");
            walk.start("firm", 1);
            walk.goesWrongFor(Duration.ofMinutes(12));
            walk.world.run(Duration.ofMinutes(48));

            boolean died = walk.frailIsDead();
            assertThat(walk.world.takersSince(Instant.EPOCH))
                    .as(walk.when)
                    .isEqualTo(died ? Map.of("long", Set.of("firm")) : Map.of());
            frail.holdsTurnsBack = false;
            if (!died) {
                frail.heldBack.forEach(Runnable::run);
            }
            walk.assertRunning("long");
        });
    }
}

package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.watcher.WatcherWorld.Process;
import org.azuremail.watcher.WatcherWorld.Turn;
import org.azuremail.watcher.Watchers.Answer;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks commands to watchers, their answers, and the turns that follow, on driven processes. */
class WatcherCommandsTest extends OnWatchers {

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
    @DisplayName("new settings count at once, also when they come while a turn is under way")
    void newSettingsThatComeDuringATurn() {
        Process one = world.start("one", 1);
        world.run(MOMENT);
        world.during.put("slow", () -> configure(one, "other"));
        create("slow");
        world.run(Duration.ofMinutes(5));

        assertThat(world.turns).hasSize(2);
        world.during.put("slow", () -> configure(one, "a third"));
        configure(one, "another");
        world.run(Duration.ofMinutes(5));
        assertThat(world.turns).hasSize(4);
        world.run(Duration.ofMinutes(50));
        assertThat(world.turns).as("and then rests").hasSize(4);
    }

    @Test
    @DisplayName("new settings count at once, also when the process that takes the turns has just died")
    void newSettingsOfAWatcherWhoseProcessHasDied() {
        Process one = world.start("one", 1);
        world.run(MOMENT);
        create("slow");
        world.run(MOMENT);
        Process two = world.start("two", 1);
        world.run(MOMENT);
        world.kill(one);
        configure(two, "other");
        world.run(TAKE_OVER);

        assertThat(world.turns).extracting(Turn::process).containsExactly("one", "two");
    }

    private static void configure(Process process, String value) {
        assertThat(process.watchers.configure("slow", null, Map.of("any", value)))
                .isEqualTo(Answer.SAVED);
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
    @DisplayName("O-5, O13: the manager repeats a stop that its process did not hear")
    void o5_theStopIsSaidAgain() {
        world.start("one", 1);
        world.run(MOMENT);
        world.start("two", 1);
        world.run(MOMENT);
        create("a", "b");
        world.run(MOMENT);
        String manager =
                new WatcherStore(world.storage.storage()).readAll().counts().manager();
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
        assertThat(world.watcher("a").status()).isEqualTo(WatcherStatus.DELETED);
        Instant since = now();
        world.run(Duration.ofMinutes(5));
        assertThat(world.watcher("a").status()).isEqualTo(WatcherStatus.DELETED);
        assertThat(world.takersSince(since)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    @DisplayName(
            "O1, O-9: a watcher that is deleted during a turn ends after it, whether its process hears of it or not")
    void o9_deletedDuringATurn(boolean heard) {
        Process one = world.start("one", 1);
        world.run(MOMENT);
        List<Object> during = new ArrayList<>();
        world.during.put("a", () -> {
            during.add(one.watchers.delete("a"));
            if (heard) {
                one.host.turn(true);
            }
            during.add(world.heres.get("a").stopRequested());
            during.add(world.watcher("a").status());
        });
        create("a");
        world.run(MOMENT);

        assertThat(during).containsExactly(Answer.STOPPING, heard, WatcherStatus.ON_DELETING);
        assertThat(world.watcher("a").status()).isEqualTo(WatcherStatus.DELETED);
        assertThat(world.left()).containsExactly("a");
        world.run(Duration.ofMinutes(30));
        assertThat(world.turns).hasSize(1);
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

    /**
     * The process sleeps at any call, while another process creates the watcher with other settings and withdraws it.
     */
    @Test
    @DisplayName("O13: the settings of a watcher that is created again are the last that it had")
    void o13_createdAgainByASleeper() {
        Process one = world.start("one", 5);
        world.run(MOMENT);
        Map<String, String> older = Map.of("any", "older");
        Map<String, String> newer = Map.of("any", "newer");
        boolean reached = true;
        for (int call = 1; reached; call++) {
            String name = "a" + call;
            assertThat(one.watchers.create(name, "recording", older)).isEqualTo(Answer.CREATED);
            assertThat(one.watchers.withdraw(name)).isEqualTo(Answer.WITHDRAWN);
            int[] calls = {0};
            int at = call;
            List<Answer> other = new ArrayList<>();
            world.storage.hook(new CallHook() {
                @Override
                public void before(Call next) {
                    if (++calls[0] == at) {
                        other.add(one.watchers.create(name, "recording", newer));
                        one.watchers.withdraw(name);
                    }
                }
            });
            one.watchers.createAgain(name);
            world.storage.hook(CallHook.NONE);
            reached = calls[0] >= at;
            assertThat(world.watcher(name).settings())
                    .as("at call " + call)
                    .isEqualTo(other.contains(Answer.CREATED) ? newer : older);
            one.watchers.withdraw(name);
        }
    }

    @Test
    @DisplayName(
            "O-12, O3, O7: a watcher that fails is tried again by its kind's rule, then waits for a restart; others go on")
    void o12_failing() {
        Process one = world.start("one", 2);
        world.run(MOMENT);
        create("bad", "good");
        world.run(Duration.ofHours(3));

        assertThat(rests("bad"))
                .containsExactly(
                        Stream.of(1, 4, 10, 30, 60).map(Duration::ofMinutes).toArray(Duration[]::new));
        assertThat(world.watcher("bad").progress().failed()).isTrue();
        assertThat(world.watcher("bad").progress().result())
                .isEqualTo(Reason.of(ReasonCode.WATCHER_BROKE, "java.lang.IllegalStateException: always"));
        assertThat(one.watchers.troubled()).extracting(Watcher::name).containsExactly("bad");
        assertThat(world.called).as("the admins are told").contains(Signals.ATTENTION);
        assertRunning("good");
        create("next");
        assertThat(one.watchers.restart("good")).isEqualTo(Answer.NOT_FAILED);
        assertThat(one.watchers.delete("next")).isEqualTo(Answer.NOT_ACTIVATED);
        assertThat(one.watchers.withdraw("next")).isEqualTo(Answer.WITHDRAWN);

        Instant since = now();
        assertThat(one.watchers.restart("bad")).isEqualTo(Answer.RESTARTED);
        world.run(Duration.ofHours(3));
        assertThat(world.turns.stream()
                        .filter(turn -> turn.watcher().equals("bad"))
                        .filter(turn -> turn.at().isAfter(since)))
                .as("from the start of its tries")
                .hasSize(6);
        assertThat(world.watcher("bad").progress().failed()).isTrue();
    }

    /** Returns the times between turns of a watcher. */
    private List<Duration> rests(String watcher) {
        List<Instant> turns = world.turns.stream()
                .filter(turn -> turn.watcher().equals(watcher))
                .map(Turn::at)
                .toList();
        return IntStream.range(1, turns.size())
                .mapToObj(at -> Duration.between(turns.get(at - 1), turns.get(at)))
                .toList();
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
        store.count(WatcherStore.Counts::withCommand);
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
}

package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.watcher.WatcherWorld.Process;
import org.azuremail.watcher.Watchers.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the commands that create, delete and withdraw watchers, and their answers, on driven processes. */
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

    @Test
    @DisplayName("O-6: a deleted watcher stays for thirty days, and is then forgotten even if no other watcher exists")
    void o6_whatEndedIsForgotten() {
        Process one = world.start("one", 1);
        world.run(MOMENT);
        create("a");
        world.run(MOMENT);
        one.watchers.delete("a");
        world.run(MOMENT);
        world.kill(one);

        world.time.advance(Duration.ofDays(29));
        Process two = world.start("two", 1);
        world.run(TAKE_OVER);
        assertThat(world.watcher("a").status()).isEqualTo(WatcherStatus.DELETED);
        assertThat(world.services()).extracting(WatchService::name).containsExactlyInAnyOrder("one", "two");

        world.time.advance(Duration.ofDays(35));
        world.run(TAKE_OVER);
        assertThat(two.watchers.find("a")).isEmpty();
        assertThat(world.services()).extracting(WatchService::name).doesNotContain("one");
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
}

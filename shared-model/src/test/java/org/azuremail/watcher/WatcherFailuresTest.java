package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.watcher.WatcherWorld.Process;
import org.azuremail.watcher.WatcherWorld.Turn;
import org.azuremail.watcher.Watchers.Answer;
import org.azuremail.work.signal.Signals;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks turns that fail or report trouble: their tries, the failed list and the restart. */
class WatcherFailuresTest extends OnWatchers {

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

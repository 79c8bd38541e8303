package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.azuremail.watcher.WatcherWorld.Process;
import org.azuremail.watcher.WatcherWorld.Turn;
import org.azuremail.watcher.Watchers.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks when watchers take their turns: new settings and the kind bring the next turn forward. */
class WatcherTurnsTest extends OnWatchers {

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
}

package org.azuremail.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.azuremail.watcher.WatcherWorld.Process;
import org.azuremail.watcher.Watchers.Answer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Checks that a lost or deaf manager is replaced, and that commands are refused until a manager knows all processes.
 */
class WatcherManagerLossTest extends OnWatchers {

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
}

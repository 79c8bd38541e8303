package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mailclass.ClassSettings;
import org.azuremail.message.Audience;
import org.azuremail.work.run.QueueRunner;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Checks the effect of a class's settings on the senders and the scheduler. */
class ClassTests {

    private static final String LOW_QUEUE = "azuremailqueue-low";

    private final SimulatedWorld world = new SimulatedWorld();

    private ListName list(String name, int people) {
        return world.list(name, people, 0);
    }

    private void message(ListName list, String mailClass) {
        world.message(Audience.of(list), OnUnknown.HOLD, world.time.instant(), mailClass);
    }

    @Test
    @DisplayName("R13: outside the hours of a class its items are neither taken nor queued again; then all are sent")
    void r13_aClassWaitsForItsHours() {
        world.classes = ClassSettings.classes("of.low.hours=20:00-22:00");
        world.restart();
        message(list("night", 3), "Low");
        world.process.look();
        world.process.drain(world.process.fanOut);
        long items = world.storage.queues().approximateCount(LOW_QUEUE);
        QueueRunner<?> pool = world.process.pool();

        for (int minute = 0; minute < 8 * 60; minute++) {
            world.process.look();
            assertThat(pool.runOnce()).isZero();
            world.time.advance(Duration.ofMinutes(1));
        }
        assertThat(world.storage.queues().approximateCount(LOW_QUEUE))
                .isEqualTo(items)
                .isPositive();
        assertThat(world.transport.taken()).isEmpty();

        while (pool.runOnce() > 0) {
            assertThat(world.transport.taken()).isNotEmpty();
        }
        assertThat(world.transport.taken()).hasSize(3);
    }

    @Test
    @DisplayName("R16: of a limit, a class takes only its share of what messages may use, and another takes the rest")
    void r16_aClassLeavesTheRestOfALimitToOthers() {
        world.rate = new RateLimit(world.storage.storage(), world.time, "recording", new Limits(0, 0, 0, 100));
        world.restart();
        message(list("low", 90), "Low");
        turns();
        assertThat(world.transport.taken()).as("80 % of 95").hasSize(76);

        message(list("high", 30), "High");
        turns();
        assertThat(world.transport.taken()).as("all that messages may use").hasSize(95);
    }

    private void turns() {
        for (int turn = 0; turn < 60; turn++) {
            world.process.turn();
            world.time.advance(Duration.ofSeconds(10));
        }
    }
}

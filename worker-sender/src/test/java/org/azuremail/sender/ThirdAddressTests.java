package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Outcome;
import org.azuremail.storage.simulated.Faults;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Checks a person whose address changes twice while a message is fanned out. */
class ThirdAddressTests extends OnAddressChange {

    private final EmailAddress between = address("between", 0);

    @Test
    void i2_aSubscriberWhoMovesTwiceDuringTheFanOutIsMailedAtOneAddress() {
        begin();
        walksShard(0);
        world.process.drain(world.process.sender);
        move(old, between);
        move(between, now);
        walksShard(1);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(old.value(), Outcome.SENT));
    }

    /** The shard of the address in the middle is walked before it is decided whether the second change completes. */
    @Test
    void i2_aDeathOnTheWayToTheThirdAddressMailsNobodyTwice() {
        for (long call = 1; diesOnTheWayToTheThird(call); call++) {
            assertThat(call).as("calls of one change").isLessThan(100);
        }
    }

    private boolean diesOnTheWayToTheThird(long call) {
        world = new SimulatedWorld();
        world.list(list.value(), 0, 0);
        begin();
        walksShard(0);
        world.process.drain(world.process.sender);
        move(old, middle);
        Faults faults = new Faults(Faults.Mode.DIES_AFTER, call, () -> {});
        world.restart(faults);
        Throwable death = catchThrowable(() -> move(middle, now));
        world.restart();
        walksShard(1);
        world.runToEnd();

        assertThat(world.transport.taken())
                .as("when it died after call " + call)
                .hasSize(1)
                .containsValue(1);
        assertThat(world.outcomes(ref)).containsEntry(old.value(), Outcome.SENT);
        new Books(world, ref).assertBalanced();
        return death != null;
    }

    @Test
    void i2_aSubscriberWhoStaysBecauseTheThirdAddressIsTakenIsNotMailedAgain() {
        begin();
        walksShard(0);
        world.process.drain(world.process.sender);
        move(old, middle);
        diesWhenTheMoveHasBegun();
        assertThat(arrivedAt(middle)).as("still active since").isNotNull();
        world.subscriber(list, now.value(), true);
        world.time.advance(Duration.ofMinutes(3));
        world.process.look();
        assertThat(isMoving(middle)).isFalse();
        assertThat(arrivedAt(middle)).as("active as if nothing had happened").isNotNull();
        walksShard(1);
        world.runToEnd();

        assertThat(world.outcomes(ref)).isEqualTo(Map.of(old.value(), Outcome.SENT, now.value(), Outcome.SENT));
        assertThat(world.find(ref).result().recipients()).as("a person each").isEqualTo(2);
    }

    /** Kills the process when the old row names the new address and nothing else is done. */
    private void diesWhenTheMoveHasBegun() {
        for (long call = 1; !isMoving(middle); call++) {
            world.restart(new Faults(Faults.Mode.DIES_AFTER, call, () -> {}));
            catchThrowable(() -> move(middle, now));
            world.restart();
        }
    }

    private boolean isMoving(EmailAddress address) {
        return "MOVE".equals(row(address).values().string("Chore"));
    }

    private @Nullable Instant arrivedAt(EmailAddress address) {
        return row(address).values().instant("ArrivedAt");
    }
}

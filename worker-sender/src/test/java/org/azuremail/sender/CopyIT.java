package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.azuremail.sender.SimulatedWorld.verified;

import java.time.Duration;
import java.util.Map;
import org.azuremail.copy.Ends;
import org.azuremail.copy.StorageCopy;
import org.azuremail.copy.StorageCopy.CopyOptions;
import org.azuremail.copy.StorageCopy.CopyResult;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Outcome;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks campaigns that continue on another storage: I1 to I3 hold by the provider's own record, which knows nothing of
 * storages.
 */
class CopyIT {

    private static final int LOT = 4;
    private static final int RECIPIENTS = 12;

    private final SimulatedWorld world = new SimulatedWorld(LOT);

    @Test
    void aMessageThatIsHalfSentGoesOnInTheOtherStorageAndNobodyIsInDoubt() {
        ListName list = world.list("contoso1", 1, RECIPIENTS, 2);
        MessageRef ref = world.message(list, OnUnknown.HOLD);
        MessageRef later =
                world.message(list, OnUnknown.HOLD, world.time.instant().plus(Duration.ofDays(1)));
        SimulatedProcess stopping = world.process;
        stopping.look();
        stopping.drain(stopping.fanOut);
        stopping.stopping = () -> world.transport.handOvers() > 0 && !world.transport.inFlight();
        stopping.receive(stopping.sender, 1).forEach(item -> stopping.handle(stopping.sender, item));
        assertThat(world.outcomes(ref)).hasSize(LOT);
        world.leave(list, "v11@contoso1.test");

        SimulatedWorld moved = moved(world);
        moved.time.advance(Duration.ofDays(1));
        moved.runToEnd();

        moved.assertAccounted(ref, verified("contoso1", RECIPIENTS));
        assertThat(moved.outcomes(ref).values())
                .doesNotContain(Outcome.UNKNOWN)
                .filteredOn(Outcome.SKIPPED::equals)
                .hasSize(1);
        moved.assertAccounted(later, verified("contoso1", RECIPIENTS - 1));
        assertOnce(moved, ref);
        assertOnce(moved, later);
        assertThat(world.find(ref).paused()).isFalse();
        assertThat(moved.process.thrown).isEmpty();
    }

    /** A crash costs no more than without a copy. */
    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"DIES_BEFORE", "DIES_AFTER"})
    void aCampaignThatDiedAtAnyCallGoesOnInTheOtherStorage(Mode mode) {
        int at = 1;
        while (diesAndMoves(mode, at) >= at) {
            at++;
        }
        assertThat(at).isGreaterThan(50);
    }

    private long diesAndMoves(Mode mode, int at) {
        SimulatedWorld dying = new SimulatedWorld(LOT);
        MessageRef ref = dying.message(dying.list("contoso1", 6, 1), OnUnknown.HOLD);
        Faults faults = new Faults(mode, at, () -> {});
        dying.restart(faults);
        try {
            dying.runToEnd();
        } catch (ProcessDied death) {
            assertThat(faults.calls()).isEqualTo(at);
        }
        SimulatedWorld moved = moved(dying);
        moved.runToEnd();
        moved.assertAccounted(ref, verified("contoso1", 6));
        assertOnce(moved, ref);
        assertThat(SimulatedWorld.count(moved.outcomes(ref), Outcome.UNKNOWN))
                .as(mode + " at " + at)
                .isLessThanOrEqualTo(LOT);
        return faults.calls();
    }

    /** Copies the storage, and checks that processes may start only on the new one. */
    private static SimulatedWorld moved(SimulatedWorld world) {
        world.time.advance(Duration.ofMinutes(2));
        SimulatedStorage target = new SimulatedStorage(world.time, 7);
        CopyResult result = new StorageCopy(
                        Ends.of("old", world.storage), Ends.of("new", target), new SeededIds(1), world.time)
                .run(CopyOptions.NONE);
        assertThat(result).isInstanceOf(CopyResult.Finished.class);
        assertThat(Ends.mayStart(world.storage.storage(), world.time)).isFalse();
        assertThat(Ends.mayStart(target.storage(), world.time)).isTrue();
        return world.with(target);
    }

    /** Checks I2 with hold. */
    private static void assertOnce(SimulatedWorld world, MessageRef ref) {
        for (Map.Entry<String, Outcome> recipient : world.outcomes(ref).entrySet()) {
            int times = world.transport.timesTaken(ref.toString(), recipient.getKey());
            assertThat(times).as(recipient.toString()).isLessThanOrEqualTo(1);
            if (recipient.getValue() == Outcome.SENT) {
                assertThat(times).as(recipient.toString()).isOne();
            }
        }
    }
}

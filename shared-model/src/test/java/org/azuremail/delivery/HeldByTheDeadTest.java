package org.azuremail.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.RangeState;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.MessageRef;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.work.lease.Holders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Checks that a process knows which processes of its machine have died: the ranges of dead ones are free at once, those
 * of live ones are not.
 */
class HeldByTheDeadTest {

    private static final Instant NOW = ManualTime.START;

    private final DeliveryStore deliveries = new DeliveryConfiguration()
            .deliveryStore(new SimulatedStorage(new ManualTime()).storage().tables(), DeliveryLimits.SHARED, holders());

    @ParameterizedTest
    @EnumSource(names = {"CLAIMED", "HANDING"})
    void aRangeThatADeadProcessHoldsIsFreeAtOnce(RangeState state) {
        assertThat(deliveries.held(heldBy("dead.attempt", state), NOW)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(names = {"CLAIMED", "HANDING"})
    void aRangeThatALivingProcessHoldsIsFreeWhenItsLeaseHasEndedForEverybody(RangeState state) {
        Range range = heldBy("living.attempt", state);
        Instant end = NOW.plus(DeliveryLimits.SHARED.lease()).plus(DeliveryLimits.SHARED.skew());

        assertThat(deliveries.held(range, end.minusMillis(1))).isTrue();
        assertThat(deliveries.held(range, end)).isFalse();
    }

    @Test
    void aRangeWithoutAHolderIsFreeWhateverIsKnownOfProcesses() {
        Range open = heldBy("living.attempt", RangeState.CLAIMED).released(null, Reason.NONE);

        assertThat(deliveries.held(open, NOW)).isFalse();
    }

    private static Range heldBy(String nonce, RangeState state) {
        RangeKey key = new RangeKey(new ShardKey(new MessageRef(1), 0), 0);
        Duration lease = DeliveryLimits.SHARED.lease();
        return new Range(
                key,
                new Range.Span("email:a", "email:b", 2, 0),
                state,
                new Range.Claim(nonce, 1, NOW.plus(lease)),
                null,
                Range.Search.NONE,
                Range.Delay.NONE,
                OutcomeCounts.NONE,
                NOW,
                0);
    }

    private static Holders holders() {
        return new Holders() {
            @Override
            public String next() {
                return "living.attempt";
            }

            @Override
            public boolean isDead(String holder) {
                return List.of("dead.attempt").contains(holder);
            }

            @Override
            public boolean detectsDeadHolders() {
                return true;
            }
        };
    }
}

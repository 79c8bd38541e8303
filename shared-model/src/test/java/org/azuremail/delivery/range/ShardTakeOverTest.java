package org.azuremail.delivery.range;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.delivery.range.ShardTakeOver.TakeResult;
import org.azuremail.id.SeededIds;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.Faults.Mode;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShardTakeOverTest {

    private static final ShardKey SHARD = new ShardKey(new MessageRef(1), 0);

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time, 7);

    /** The process once waited for its own lease to end, plus the difference of two clocks: 90 seconds. */
    @ParameterizedTest
    @EnumSource(names = {"ANSWER_LOST", "REPEATED"})
    void aProcessThatDoesNotHearThatItHasTheShardDoesNotWaitForItself(Mode mode) {
        storage.tables().createTable(MessageStore.MESSAGE);
        Faults faults = new Faults(mode, 1, () -> {});
        DeliveryStore store =
                new DeliveryStore(faults.around(storage.storage()).tables(), DeliveryLimits.SHARED, nonce -> false);

        TakeResult taken = new ShardTakeOver(store, new SeededIds(1), time).take(SHARD);

        assertThat(taken).isInstanceOf(TakeResult.Ours.class);
        DeliveryStore others = new DeliveryStore(storage.tables(), DeliveryLimits.SHARED, nonce -> false);
        assertThat(new ShardTakeOver(others, new SeededIds(2), time).take(SHARD))
                .isInstanceOf(TakeResult.Busy.class);
    }
}

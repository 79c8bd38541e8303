package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The contract that the storage accepts every batch for which {@link BatchBudget} has room, whatever the rows contain.
 */
interface BatchRoomContract extends TableContract {

    @Test
    default void batchFilledToItsLimitsIsAccepted() {
        for (long seed = 1; seed <= LargestBatches.SEEDS; seed++) {
            String table = newTable();
            List<Write> writes = LargestBatches.writes(seed);
            List<List<Write>> batches = BatchBudget.divide("p", TableStore.MAX_BATCH, writes, write -> write);

            for (List<Write> batch : batches) {
                assertThat(tables().write(table, "p", batch).written())
                        .as("seed " + seed)
                        .isTrue();
            }
            assertThat(Rows.all(tables(), table, KeyRange.everything()))
                    .as("seed " + seed)
                    .hasSameSizeAs(writes);
        }
    }
}

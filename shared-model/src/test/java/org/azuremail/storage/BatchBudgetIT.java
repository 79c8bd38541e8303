package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Checks many batches of every size: none is too large or closed too early, and no write is lost. */
class BatchBudgetIT {

    private static final int SEEDS = 60;

    @Test
    void batchesKeepBothLimitsAndTheOrder() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Write> writes = LargestBatches.writes(seed);
            List<Write> again = new ArrayList<>();
            for (List<Write> batch : BatchBudget.divide("p", TableStore.MAX_BATCH, writes, write -> write)) {
                assertThatCode(() -> StorageLimits.checkWrites("table", "p", batch))
                        .doesNotThrowAnyException();
                again.addAll(batch);
            }
            assertThat(again).as("seed " + seed).isEqualTo(writes);
        }
    }

    @Test
    void batchEndsOnlyWhenTheNextRowWouldBreakALimit() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            List<Write> writes = LargestBatches.writes(seed);
            List<List<Write>> batches = BatchBudget.divide("p", 98, writes, write -> write);
            assertThat(BatchBudget.first("p", 98, writes, write -> write)).isEqualTo(batches.get(0));
            for (int i = 0; i + 1 < batches.size(); i++) {
                List<Write> full = new ArrayList<>(batches.get(i));
                full.add(batches.get(i + 1).get(0));
                long bytes = full.stream()
                        .mapToLong(write -> StorageLimits.bytesInBatch("p", write))
                        .sum();
                assertThat(full.size() > 98 || bytes > TableStore.MAX_BATCH_BYTES - 64 * 1024)
                        .as("seed %d, batch %d", seed, i)
                        .isTrue();
            }
        }
    }

    @Test
    void replacedRowsAreNotCounted() {
        BatchBudget budget = new BatchBudget("p", 2);
        Write small = Write.insert("a", Values.of("A", "x"));
        Write other = Write.insert("b", Values.of("A", "x"));

        assertThat(budget.tryAdd(small)).isTrue();
        assertThat(budget.tryReplace(List.of(small), List.of(other))).isTrue();
        assertThat(budget.tryAdd(small)).isTrue();
        assertThat(budget.tryAdd(Write.insert("c", Values.none()))).isFalse();
        assertThat(budget.tryReplace(List.of(small, other), List.of(small))).isTrue();
        assertThat(budget.tryAdd(other)).isTrue();
    }

    @Test
    void ofNothingNothingIsFirst() {
        assertThat(BatchBudget.first("p", 98, List.<Write>of(), write -> write)).isEmpty();
    }
}

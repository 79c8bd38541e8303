package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.LargestBatches;
import org.azuremail.storage.StorageLimits;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Write;
import org.junit.jupiter.api.Test;

/**
 * Checks that a batch is never larger than its estimate, including escapes in JSON, and the headers and boundary of
 * each part. {@code -Dazuremail.test.batches=N} sets the number of seeds.
 */
class BatchBytesIT {

    @Test
    void batchIsNeverLargerOnTheWireThanEstimated() {
        AtomicLong sent = new AtomicLong();
        TableStore tables = new AzureTableStore(TestClients.of((context, next) -> {
                    sent.set(
                            context.getHttpRequest().getBodyAsBinaryData() == null
                                    ? 0
                                    : context.getHttpRequest()
                                            .getBodyAsBinaryData()
                                            .toBytes()
                                            .length);
                    return next.process();
                })
                .tables());
        tables.createTable("batchbytes");
        String partition = "mail.0.000000000000000001";
        int filled = 0;
        for (long seed = 1; seed <= LargestBatches.SEEDS; seed++) {
            List<Write> rows = LargestBatches.writes(seed);
            for (List<Write> batch : BatchBudget.divide(partition, TableStore.MAX_BATCH, rows, write -> write)) {
                List<Write> writes = batch.stream()
                        .<Write>map(write -> Write.upsert(write.rowKey(), ((Write.Insert) write).values()))
                        .toList();
                long reckoned = writes.stream()
                        .mapToLong(write -> StorageLimits.bytesInBatch(partition, write))
                        .sum();
                assertThat(tables.write("batchbytes", partition, writes).written())
                        .isTrue();
                assertThat(sent.get()).as("seed " + seed).isPositive().isLessThanOrEqualTo(reckoned);
                filled += sent.get() > TableStore.MAX_BATCH_BYTES / 2 ? 1 : 0;
            }
        }
        assertThat(filled).isPositive();
    }
}

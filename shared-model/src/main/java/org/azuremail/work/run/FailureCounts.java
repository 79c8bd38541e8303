package org.azuremail.work.run;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Row;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/**
 * Counts the failures of items in one row for each item. The row is only written after a failure, so that work without
 * failures costs nothing. A delivery is counted once, even if answers of the storage are lost.
 */
record FailureCounts(Table table) {

    private static final int MAX_LENGTH = 2000;

    /** @param thrown the last exception of the handler */
    record FailureRecord(int failures, int delivery, String thrown, Instant at) {

        static final FailureRecord CLEAN = new FailureRecord(0, 0, "", Instant.EPOCH);

        FailureRecord plus(int newDelivery, String newThrown, Instant now) {
            return new FailureRecord(failures + 1, newDelivery, newThrown, now);
        }
    }

    FailureRecord of(String queue, String itemId) {
        return read(queue, itemId).map(FailureCounts::account).orElse(FailureRecord.CLEAN);
    }

    /**
     * Counts one failure.
     *
     * @param delivery the item's dequeue count, by which a delivery that was counted already is recognized
     */
    FailureRecord fail(String queue, String itemId, int delivery, String thrown, Instant now) {
        return ConditionalWrites.retryIdempotent("the failures of item " + itemId, () -> {
            Optional<Row> row = read(queue, itemId);
            FailureRecord before = row.map(FailureCounts::account).orElse(FailureRecord.CLEAN);
            if (before.delivery() == delivery) {
                return Optional.of(before);
            }
            FailureRecord after = before.plus(delivery, Reason.truncate(thrown, MAX_LENGTH), now);
            return write(queue, itemId, row, after) ? Optional.of(after) : Optional.empty();
        });
    }

    void forget(String queue, String itemId) {
        table.write(partition(queue), Write.delete(KeyEscaper.escape(itemId)));
    }

    private boolean write(String queue, String itemId, Optional<Row> row, FailureRecord failures) {
        Values values = Values.builder()
                .put("Failures", failures.failures())
                .put("Delivery", failures.delivery())
                .put("Reason", failures.thrown())
                .put("At", failures.at())
                .build();
        return table.write(partition(queue), Write.put(row, KeyEscaper.escape(itemId), values))
                .written();
    }

    private Optional<Row> read(String queue, String itemId) {
        return table.get(partition(queue), KeyEscaper.escape(itemId));
    }

    private static String partition(String queue) {
        return "tries." + queue;
    }

    private static FailureRecord account(Row row) {
        Values values = row.values();
        return new FailureRecord(
                values.integer("Failures", 0),
                values.integer("Delivery", 0),
                values.string("Reason", ""),
                values.requireInstant("At"));
    }
}

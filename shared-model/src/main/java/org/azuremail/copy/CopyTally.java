package org.azuremail.copy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.azuremail.copy.Transfer.Selection;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;

/**
 * The size and checksum of a table or container, which are the same on every back end. The checksum covers all keys and
 * values of a table, or all blob names and sizes of a container.
 */
record CopyTally(long count, long sum) {

    static CopyTally ofTable(Storage storage, String table) {
        Counter counter = new Counter();
        Rows.stream(storage.tables(), table, KeyRange.everything())
                .forEach(row -> Selection.of(table, row).ifPresent(values -> counter.add(row, values.asMap())));
        return counter.tally();
    }

    static CopyTally ofContainer(Storage storage, String container) {
        Counter counter = new Counter();
        storage.blobs().stream(container, "").forEach(blob -> counter.add(blob.name() + " " + blob.size()));
        return counter.tally();
    }

    private static final class Counter {

        private final CRC32 sum = new CRC32();
        private long count;

        void add(Row row, Map<String, Object> values) {
            add(row.key().partition() + " " + row.rowKey());
            new TreeMap<>(values).forEach((name, value) -> {
                update(name + ":" + value.getClass().getSimpleName() + ":");
                update(value);
            });
        }

        void add(String text) {
            count++;
            update(text);
        }

        private void update(Object value) {
            byte[] bytes = value instanceof byte[] binary ? binary : text(value).getBytes(StandardCharsets.UTF_8);
            sum.update(bytes);
            sum.update('\n');
        }

        private static String text(Object value) {
            return value instanceof Instant at ? at.getEpochSecond() + "." + at.getNano() : value.toString();
        }

        CopyTally tally() {
            return new CopyTally(count, sum.getValue());
        }
    }
}

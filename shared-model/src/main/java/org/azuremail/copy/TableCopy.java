package org.azuremail.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.copy.Position.Stage;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.StorageLimits;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/** Copies a table page by page in the order of its keys; a repeated page changes nothing. */
final class TableCopy {

    private final TableStore source;
    private final TableStore target;
    private final Progress progress;

    TableCopy(TableStore source, TableStore target, Progress progress) {
        this.source = source;
        this.target = target;
        this.progress = progress;
    }

    void copy(String table) {
        for (KeyRange range : left(table)) {
            copy(table, range);
        }
    }

    private List<KeyRange> left(String table) {
        Position after = progress.position();
        if (!after.isIn(Stage.TABLES, table) || after.partition().isEmpty()) {
            return List.of(KeyRange.everything());
        }
        return List.of(
                KeyRange.rows(after.partition(), KeyRange.next(after.row()), null),
                KeyRange.partitions(KeyRange.next(after.partition()), null));
    }

    private void copy(String table, KeyRange range) {
        String continuation = null;
        do {
            RowPage page = source.query(table, range, TableStore.MAX_PAGE, continuation);
            if (!page.rows().isEmpty()) {
                write(table, page.rows());
                progress.reach(Position.afterRow(
                        table, page.rows().get(page.rows().size() - 1).key()));
            }
            continuation = page.continuation();
        } while (continuation != null);
    }

    private void write(String table, List<Row> rows) {
        Batch batch = new Batch(table);
        for (Row row : rows) {
            Optional<Values> values = Selection.of(table, row);
            values.ifPresent(copied -> batch.add(row.key().partition(), Write.upsert(row.rowKey(), copied)));
        }
        batch.send();
    }

    /** Rows of one partition, as many as go together. */
    private final class Batch {

        private final String table;
        private final List<Write> writes = new ArrayList<>();
        private @Nullable String partition;
        private long bytes;

        Batch(String table) {
            this.table = table;
        }

        void add(String ofPartition, Write write) {
            long more = StorageLimits.bytesInBatch(ofPartition, write);
            if (!ofPartition.equals(partition)
                    || writes.size() == TableStore.MAX_BATCH
                    || bytes + more > TableStore.MAX_BATCH_BYTES) {
                send();
                partition = ofPartition;
            }
            writes.add(write);
            bytes += more;
        }

        void send() {
            if (partition != null && !writes.isEmpty()) {
                target.write(table, partition, List.copyOf(writes));
            }
            writes.clear();
            bytes = 0;
        }
    }
}

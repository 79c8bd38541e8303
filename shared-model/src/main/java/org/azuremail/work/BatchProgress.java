package org.azuremail.work;

import java.util.Optional;
import org.azuremail.storage.Key;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;

/**
 * How far one batch is done, in its payload's row. Written under the ETag of what this worker wrote or read before: who
 * lost the batch to another finds that out with its next write, and changes nothing.
 */
final class BatchProgress {

    private static final String NEXT = "Next";
    private static final int ATTEMPTS = 4;

    private final Table table;
    private final String partition;
    private final String token;
    private Optional<Row> row;
    private int saved;

    BatchProgress(Table table, String partition, String token) {
        this.table = table;
        this.partition = partition;
        this.token = token;
        this.row = table.get(partition, token);
        this.saved = row.map(BatchProgress::next).orElse(0);
    }

    /** The first item that is not known to be done. */
    int next() {
        return saved;
    }

    /** Whether all of it was done before. */
    boolean isDone() {
        return row.filter(BatchProgress::isDone).isPresent();
    }

    /**
     * Notes that everything before this item is done.
     *
     * @return false when somebody else works on the batch, or finished it
     */
    boolean save(int next) {
        Values values = Values.of(Payloads.STATE, Payloads.State.WAITING.name()).with(NEXT, next);
        for (int attempt = 1; ; attempt++) {
            if (written(values, attempt < ATTEMPTS)) {
                saved = next;
                return true;
            }
            row = table.get(partition, token);
            if (row.filter(found -> found.values().equals(values)).isPresent()) {
                saved = next;
                return true;
            }
            if (attempt == ATTEMPTS || isDone() || row.map(BatchProgress::next).orElse(0) != saved) {
                return false;
            }
        }
    }

    private boolean written(Values values, boolean mayRepeat) {
        Write write = row.map(found -> Write.replace(found, values)).orElseGet(() -> Write.insert(token, values));
        try {
            if (table.write(partition, write) instanceof WriteResult.Written written) {
                row = Optional.of(new Row(new Key(partition, token), written.etag(), values));
                return true;
            }
            return false;
        } catch (StorageException perhapsWritten) {
            if (!mayRepeat) {
                throw perhapsWritten;
            }
            return false;
        }
    }

    private static int next(Row row) {
        return row.values().integer(NEXT, 0);
    }

    private static boolean isDone(Row row) {
        return Payloads.State.DONE.name().equals(row.values().string(Payloads.STATE));
    }
}

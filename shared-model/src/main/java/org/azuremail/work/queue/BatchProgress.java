package org.azuremail.work.queue;

import java.util.Optional;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.Row;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;

/**
 * The progress of one batch, stored in its payload's row. It is written under the ETag that this worker read or wrote
 * last. A worker that lost the batch to another one finds that out with its next write, which changes nothing.
 */
public final class BatchProgress {

    private static final String NEXT = "Next";

    private final Table table;
    private final String partition;
    private final String token;
    private Optional<Row> row;
    private int saved;
    private boolean outdated;

    BatchProgress(Table table, String partition, String token) {
        this.table = table;
        this.partition = partition;
        this.token = token;
        this.row = table.get(partition, token);
        this.saved = row.map(BatchProgress::next).orElse(0);
    }

    /** Returns the index of the first item that is not known to be done. */
    public int next() {
        return saved;
    }

    /** Returns whether the whole batch was done before. */
    public boolean isDone() {
        return row.filter(BatchProgress::isDone).isPresent();
    }

    /**
     * Stores that all items before this one are done.
     *
     * @return false if another worker handles the batch or finished it
     */
    public boolean save(int next) {
        Values values = Values.of(Payloads.STATE, Payloads.State.WAITING.name()).with(NEXT, next);
        boolean ours = ConditionalWrites.retryIdempotent(
                "batch " + token, () -> outdated ? resolveWrite(values) : writeOnce(values));
        saved = ours ? next : saved;
        return ours;
    }

    private Optional<Boolean> writeOnce(Values values) {
        outdated = true;
        if (table.write(partition, Write.put(row, token, values)) instanceof WriteResult.Written written) {
            row = Optional.of(new Row(new Key(partition, token), written.etag(), values));
            outdated = false;
            return Optional.of(true);
        }
        return resolveWrite(values);
    }

    /**
     * Returns, after a refused write or a lost answer, whether the progress is written (true) or another worker has the
     * batch (false); empty if it must be written once more.
     */
    private Optional<Boolean> resolveWrite(Values values) {
        row = table.get(partition, token);
        outdated = false;
        if (row.filter(found -> found.values().equals(values)).isPresent()) {
            return Optional.of(true);
        }
        boolean another = isDone() || row.map(BatchProgress::next).orElse(0) != saved;
        return another ? Optional.of(false) : Optional.empty();
    }

    private static int next(Row row) {
        return row.values().integer(NEXT, 0);
    }

    private static boolean isDone(Row row) {
        return Payloads.State.DONE.name().equals(row.values().string(Payloads.STATE));
    }
}

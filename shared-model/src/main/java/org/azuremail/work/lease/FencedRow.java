package org.azuremail.work.lease;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/**
 * A row that holders of one {@link Lock} write. It remembers the highest token that wrote it, and no lower one writes it
 * after that: a holder that was frozen, lost its lock and comes back changes nothing that its successor wrote. Safe for
 * use from many threads and processes.
 */
public final class FencedRow {

    private static final String FENCE = "Fence";

    private final Table table;
    private final String partition;
    private final String row;

    public FencedRow(Table table, String partition, String row) {
        this.table = table;
        this.partition = partition;
        this.row = row;
    }

    public sealed interface Result {

        /** It is durable. */
        record Written(Values values) implements Result {}

        /** Nothing was written: a later holder, with this token, wrote before. */
        record Outdated(long token) implements Result {}
    }

    /**
     * Changes the row on behalf of a lock's holder.
     *
     * @param token of the lock
     * @param change of what is there, nothing at first; asked again when somebody wrote in between
     * @throws StorageException when nobody can know, or when others write all the time; the change may be repeated
     */
    public Result update(long token, UnaryOperator<Values> change) {
        return ConditionalWrites.until("row " + row, () -> {
            Optional<Row> found = table.get(partition, row);
            Values before = found.map(Row::values).orElse(Values.none());
            if (before.number(FENCE, 0) > token) {
                return Optional.of(new Result.Outdated(before.number(FENCE, 0)));
            }
            Values after = change.apply(before).with(FENCE, token);
            boolean written =
                    table.write(partition, Write.put(found, row, after)).written();
            return written ? Optional.of(new Result.Written(after)) : Optional.empty();
        });
    }
}

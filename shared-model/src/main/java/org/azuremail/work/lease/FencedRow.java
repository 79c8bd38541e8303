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
 * A row that is written by the holders of one {@link Lock}. It stores the highest token that wrote it and rejects lower
 * ones, so a holder that was frozen and lost its lock cannot overwrite what its successor wrote. Safe for use from many
 * threads and processes.
 */
public record FencedRow(Table table, String partition, String row) {

    private static final String FENCE = "Fence";

    public sealed interface Result {

        /** The values were written durably. */
        record Written(Values values) implements Result {}

        /** Nothing was written, because a later holder with this token wrote before. */
        record Outdated(long token) implements Result {}
    }

    /**
     * Changes the row on behalf of a lock's holder.
     *
     * @param token the token of the lock
     * @param change computes the new values from the present ones, which are empty at first; called again if another
     *     process wrote in between
     * @throws StorageException if it is unknown whether the change was written, or if others write all the time; the
     *     change may be repeated
     */
    public Result update(long token, UnaryOperator<Values> change) {
        return ConditionalWrites.retry("row " + row, () -> {
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

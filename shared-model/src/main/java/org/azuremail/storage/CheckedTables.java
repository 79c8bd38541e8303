package org.azuremail.storage;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.storage.StorageCalls.Operation;
import org.azuremail.storage.StorageCalls.Store;
import org.jspecify.annotations.Nullable;

/** Tables whose calls are counted. */
final class CountedTables implements TableStore {

    private final TableStore real;
    private final PortCalls calls;

    CountedTables(TableStore real, StorageCalls calls) {
        this.real = real;
        this.calls = new PortCalls(Store.TABLE, calls);
    }

    @Override
    public void createTable(String table) {
        calls.make(Operation.CREATE, table, () -> real.createTable(table));
    }

    @Override
    public Optional<Row> get(String table, Key key) {
        return calls.make(
                Operation.GET, table, () -> real.get(table, key), row -> true, row -> row.isPresent() ? 1 : 0);
    }

    @Override
    public RowPage query(String table, KeyRange range, int limit, @Nullable String continuation) {
        return calls.make(
                Operation.QUERY,
                table,
                () -> real.query(table, range, limit, continuation),
                page -> true,
                page -> page.rows().size());
    }

    /** The reads count themselves: they are calls of this store. */
    @Override
    public <T> List<T> sideBySide(List<Supplier<T>> reads) {
        return real.sideBySide(reads);
    }

    @Override
    public WriteResult write(String table, String partition, List<Write> writes) {
        return calls.make(
                Operation.WRITE,
                table,
                () -> real.write(table, partition, writes),
                WriteResult::written,
                result -> writes.size());
    }
}

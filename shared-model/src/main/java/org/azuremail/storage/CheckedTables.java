package org.azuremail.storage;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.storage.StorageCalls.Operation;
import org.azuremail.storage.StorageCalls.Store;
import org.jspecify.annotations.Nullable;

/** Tables: checks each call before a back end sees it, and may count it. */
record CheckedTables(TableStore real, PortCalls calls) implements TableStore {

    /** @param counts of the calls; {@code null} when nobody counts them */
    static CheckedTables of(TableStore store, @Nullable StorageCalls counts) {
        return new CheckedTables(
                store instanceof CheckedTables checked ? checked.real : store, new PortCalls(Store.TABLE, counts));
    }

    @Override
    public void createTable(String table) {
        StorageNames.requireTable(table);
        calls.make(Operation.CREATE, table, () -> real.createTable(table));
    }

    @Override
    public Optional<Row> get(String table, Key key) {
        StorageNames.requireTable(table);
        return calls.make(
                Operation.GET, table, () -> real.get(table, key), row -> true, row -> row.isPresent() ? 1 : 0);
    }

    @Override
    public RowPage query(String table, KeyRange range, int limit, @Nullable String continuation) {
        StorageNames.requireTable(table);
        StorageLimits.checkPage(limit);
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
        StorageLimits.checkWrites(table, partition, writes);
        return calls.make(
                Operation.WRITE,
                table,
                () -> real.write(table, partition, writes),
                WriteResult::written,
                result -> writes.size());
    }
}

package org.azuremail.storage;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One table of a {@link TableStore}, created when it is first used. So a process can start while the storage cannot be reached,
 * and an empty storage needs no setup. Promises and errors are those of {@link TableStore}. Safe for use from many
 * threads.
 */
public final class Table {

    private final TableStore tables;
    private final String name;
    private volatile boolean created;

    /** @throws IllegalArgumentException when this cannot be a table's name */
    public Table(TableStore tables, String name) {
        this.tables = tables;
        this.name = StorageLimits.requireTable(name);
    }

    /** Returns the current row at a key. */
    public Optional<Row> get(String partition, String row) {
        return store().get(name, partition, row);
    }

    /** Returns a page of rows in key order. */
    public RowPage query(KeyRange range, int limit, @Nullable String continuation) {
        return store().query(name, range, limit, continuation);
    }

    /** The first rows of a range, short pages filled up: at least one when there is any, at most {@code limit}. */
    public RowPage first(KeyRange range, int limit, @Nullable String continuation) {
        return Rows.first(store(), name, range, limit, continuation);
    }

    /** All rows of a range, fetched page by page as the stream is consumed; never held whole. */
    public Stream<Row> stream(KeyRange range) {
        return Rows.stream(store(), name, range);
    }

    /** Writes a batch into one partition: all of it, durably, or nothing. */
    public WriteResult write(String partition, List<Write> writes) {
        return store().write(name, partition, writes);
    }

    public WriteResult write(String partition, Write write) {
        return write(partition, List.of(write));
    }

    private TableStore store() {
        if (!created) {
            tables.createTable(name);
            created = true;
        }
        return tables;
    }
}

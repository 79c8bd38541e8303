package org.azuremail.storage;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One table of a {@link TableStore}. It is created when it is first used, so a process can start while the storage is
 * unreachable, and an empty storage needs no setup. Its guarantees and exceptions are those of {@link TableStore}. Safe
 * for use by many threads.
 */
public final class Table {

    private final TableStore tables;
    private final String name;
    private volatile boolean created;

    /** @throws IllegalArgumentException if the name is not valid for a table */
    public Table(TableStore tables, String name) {
        this.tables = tables;
        this.name = StorageLimits.requireTable(name);
    }

    /** Returns the current row at a key. */
    public Optional<Row> get(String partition, String row) {
        return store().get(name, partition, row);
    }

    /** Returns a page of rows in key order. */
    public Page<Row> query(KeyRange range, int limit, @Nullable String continuation) {
        return store().query(name, range, limit, continuation);
    }

    /** Returns the first rows of a range: {@code limit} rows, or fewer if the range ends earlier. */
    public Page<Row> first(KeyRange range, int limit, @Nullable String continuation) {
        return Rows.first(store(), name, range, limit, continuation);
    }

    /** Returns all rows of a range. Pages are fetched as the stream is consumed, never all held in memory. */
    public Stream<Row> stream(KeyRange range) {
        return Rows.stream(store(), name, range);
    }

    /** Writes a batch to one partition, durably and completely or not at all. */
    public WriteResult write(String partition, List<Write> writes) {
        return store().write(name, partition, writes);
    }

    public WriteResult write(String partition, Write write) {
        return write(partition, List.of(write));
    }

    /** Inserts a row, as {@link ConditionalWrites#insert} does. */
    public <T> Saved<T> insert(Key key, Values values, Function<Values, T> reader) {
        return ConditionalWrites.insert(store(), name, key, values, reader);
    }

    /** Replaces a row, as {@link ConditionalWrites#replace} does. */
    public <T> Saved<T> replace(Key key, Values values, String etag, Function<Values, T> reader) {
        return ConditionalWrites.replace(store(), name, key, values, etag, reader);
    }

    private TableStore store() {
        if (!created) {
            tables.createTable(name);
            created = true;
        }
        return tables;
    }
}

package org.azuremail.storage;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tables with Azure's semantics: rows under a partition key and a row key, sorted by both; atomic batches inside one
 * partition; conditional writes by ETag; no secondary index. Safe for use from many threads and processes.
 *
 * <p>Every call may throw a {@link StorageException}. If its reason is {@code TIMED_OUT}, {@code UNAVAILABLE} or
 * {@code UNKNOWN}, a write may or may not have happened: read again and decide.
 */
public interface TableStore {

    int MAX_BATCH = 100;

    int MAX_PAGE = 1000;

    /** The largest batch, in bytes of its rows' keys and values. */
    long MAX_BATCH_BYTES = 4L * 1024 * 1024;

    /** The largest row, in bytes. */
    long MAX_ROW_BYTES = 1024L * 1024;

    /**
     * Creates a table unless it exists.
     *
     * @param table 3 to 63 lower-case letters and digits, beginning with a letter
     */
    void createTable(String table);

    /** Returns the current row at a key. */
    Optional<Row> get(String table, Key key);

    /**
     * A page of rows in key order. From page to page of one listing, rows that are written meanwhile may or may not appear; rows
     * that stay appear exactly once.
     *
     * @param limit the most rows on the page, 1 to {@link #MAX_PAGE}; a page may be shorter
     * @param continuation of the page before, or {@code null} for the first
     */
    RowPage query(String table, KeyRange range, int limit, @Nullable String continuation);

    /**
     * The answers of independent reads, in their order. A remote storage makes many of them at once; one in this process would
     * gain nothing by that.
     *
     * @param reads calls of this store that change nothing, and that do not call this method themselves
     * @throws StorageException of the first that failed, in this order; the others may have been made
     */
    default <T> List<T> sideBySide(List<Supplier<T>> reads) {
        return reads.stream().map(Supplier::get).toList();
    }

    /**
     * Writes a batch into one partition: all of it, durably, or nothing.
     *
     * @param writes 1 to {@link #MAX_BATCH}, each of another row, together at most {@link #MAX_BATCH_BYTES}
     * @throws IllegalArgumentException when the batch breaks one of these limits; nothing was written
     */
    WriteResult write(String table, String partition, List<Write> writes);

    default WriteResult write(String table, String partition, Write write) {
        return write(table, partition, List.of(write));
    }

    /** Returns the current row at a key. */
    default Optional<Row> get(String table, String partition, String row) {
        return get(table, new Key(partition, row));
    }
}

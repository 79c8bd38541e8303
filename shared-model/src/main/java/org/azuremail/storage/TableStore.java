package org.azuremail.storage;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tables with the semantics of Azure Storage. A row has a partition key and a row key, and rows are sorted by both.
 * Batches within one partition are atomic. Writes can depend on an ETag. There is no secondary index. Safe for use by
 * many threads and processes.
 *
 * <p>Every call may throw a {@link StorageException}. If its reason is {@code TIMED_OUT}, {@code UNAVAILABLE} or
 * {@code UNKNOWN}, a write may or may not have taken effect, and the caller must read again to find out.
 */
public interface TableStore {

    int MAX_BATCH = 100;

    int MAX_PAGE = 1000;

    /** The largest batch, in bytes, as {@link StorageLimits#bytesInBatch} counts them. */
    long MAX_BATCH_BYTES = 4L * 1024 * 1024;

    /** The largest row, in bytes of its keys, property names and values. */
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
     * Returns a page of rows in key order. Over all pages of one listing, a row that exists throughout appears exactly
     * once. A row that is created or deleted meanwhile may or may not appear.
     *
     * @param limit the most rows on the page, 1 to {@link #MAX_PAGE}; a page may be shorter
     * @param continuation from the previous page, or {@code null} for the first page
     */
    Page<Row> query(String table, KeyRange range, int limit, @Nullable String continuation);

    /**
     * Makes independent reads and returns their results in the same order. A remote storage makes many of them at once.
     * A storage in this process makes them one by one, because it would gain nothing from parallel reads.
     *
     * @param reads calls of this store that change nothing and do not call this method themselves
     * @throws StorageException the exception of the first read that failed, in this order; the others may have been
     *     made
     */
    default <T> List<T> readInParallel(List<Supplier<T>> reads) {
        return reads.stream().map(Supplier::get).toList();
    }

    /**
     * Writes a batch to one partition, durably and completely or not at all.
     *
     * @param writes 1 to {@link #MAX_BATCH} writes of different rows, together at most {@link #MAX_BATCH_BYTES}
     * @throws IllegalArgumentException if the batch breaks one of these limits; nothing is written then
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

package org.azuremail.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Tracks whether more rows fit into a batch of one partition. A batch is limited in rows and in bytes, as they are
 * escaped and sent. Code that fills a batch with rows of unknown size uses this class. Not thread-safe.
 */
public final class BatchBudget {

    /**
     * The bytes kept free for a batch's control rows, which are not counted. No control row is larger than a few KiB.
     */
    private static final long RESERVED_BYTES = 64L * 1024;

    private static final long MAX_BYTES = TableStore.MAX_BATCH_BYTES - RESERVED_BYTES;

    private final String partition;
    private final int maxRows;
    private final List<Write> taken = new ArrayList<>();

    /** The size of the taken rows, in bytes: an upper bound until it exceeds {@link #MAX_BYTES}, then exact. */
    private long bytes;

    private boolean exact;

    /**
     * @param maxRows the most rows, not counting control rows; together with these, at most
     *     {@link TableStore#MAX_BATCH}
     */
    public BatchBudget(String partition, int maxRows) {
        this.partition = partition;
        this.maxRows = maxRows;
    }

    /** Takes one more row if it fits. The first row always fits, because no row is as large as a batch. */
    public boolean tryAdd(Write write) {
        return tryAdd(List.of(write));
    }

    /** Takes all of these rows or none of them, and returns whether it took them. An empty batch takes any rows. */
    public boolean tryAdd(List<Write> together) {
        return tryReplace(List.of(), together);
    }

    /** Replaces rows that were taken earlier if the new rows fit, and returns whether they do. */
    public boolean tryReplace(List<Write> before, List<Write> together) {
        boolean first = taken.size() == before.size();
        int newRows = taken.size() - before.size() + together.size();
        long newBytes = newBytes(before, together);
        if (newBytes > MAX_BYTES && !exact) {
            exact = true;
            bytes = bytes(taken);
            newBytes = newBytes(before, together);
        }
        if (!first && (newRows > maxRows || newBytes > MAX_BYTES)) {
            return false;
        }
        before.forEach(taken::remove);
        taken.addAll(together);
        bytes = newBytes;
        return true;
    }

    private long newBytes(List<Write> before, List<Write> together) {
        return bytes - bytes(before) + bytes(together);
    }

    private long bytes(List<Write> writes) {
        long sum = 0;
        for (Write write : writes) {
            sum += exact
                    ? StorageLimits.bytesInBatch(partition, write)
                    : StorageLimits.maxBytesInBatch(partition, write);
        }
        return sum;
    }

    /**
     * Divides items, in their order, into batches. A batch ends before the first item whose row does not fit into it.
     *
     * @param write returns the row of an item, or a larger row
     */
    public static <T> List<List<T>> divide(String partition, int maxRows, List<T> things, Function<T, Write> write) {
        List<List<T>> parts = new ArrayList<>();
        BatchBudget budget = new BatchBudget(partition, maxRows);
        for (T thing : things) {
            Write row = write.apply(thing);
            if (parts.isEmpty() || !budget.tryAdd(row)) {
                budget = new BatchBudget(partition, maxRows);
                budget.tryAdd(row);
                parts.add(new ArrayList<>());
            }
            parts.get(parts.size() - 1).add(thing);
        }
        return parts;
    }

    /** Returns the leading items that fit into one batch: at least one, unless there are no items. */
    public static <T> List<T> first(String partition, int maxRows, List<T> things, Function<T, Write> write) {
        return things.isEmpty()
                ? things
                : divide(partition, maxRows, things, write).get(0);
    }
}

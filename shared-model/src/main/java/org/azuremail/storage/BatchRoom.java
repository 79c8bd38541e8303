package org.azuremail.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Tells how much room is left in a batch of one partition: a batch is closed by its rows or by its bytes as they are sent,
 * escaping and all, whichever limit is reached first. Everybody who fills a batch with rows of which nobody knows how large
 * they are asks this. For one thread.
 */
public final class BatchRoom {

    /** For the control rows that ride along with the rows that are counted: none is larger than a few KiB. */
    private static final long RESERVED_BYTES = 64L * 1024;

    private static final long MOST_BYTES = TableStore.MAX_BATCH_BYTES - RESERVED_BYTES;

    private final String partition;
    private final int mostRows;
    private final List<Write> taken = new ArrayList<>();

    /** Of those taken: how many it is at the most, and exactly from the moment on when that decides. */
    private long bytes;

    private boolean exact;

    /** @param mostRows that are counted; with those that ride along at most {@link TableStore#MAX_BATCH} */
    public BatchRoom(String partition, int mostRows) {
        this.partition = partition;
        this.mostRows = mostRows;
    }

    /** Takes one more row, if it fits. The first always does: no row is as large as a batch. */
    public boolean take(Write write) {
        return take(List.of(write));
    }

    /** Takes rows that go together, all or none. The first rows are always taken. */
    public boolean take(List<Write> together) {
        return swap(List.of(), together);
    }

    /** Takes rows in the place of others that were taken before, or none of it. */
    public boolean swap(List<Write> before, List<Write> together) {
        boolean first = taken.size() == before.size();
        int newRows = taken.size() - before.size() + together.size();
        long newBytes = newBytes(before, together);
        if (newBytes > MOST_BYTES && !exact) {
            exact = true;
            bytes = bytes(taken);
            newBytes = newBytes(before, together);
        }
        if (!first && (newRows > mostRows || newBytes > MOST_BYTES)) {
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
                    : StorageLimits.mostBytesInBatch(partition, write);
        }
        return sum;
    }

    /**
     * Things in their order, cut where the next one's row would not fit the batch any more.
     *
     * @param write the row that the thing becomes, or a larger one
     */
    public static <T> List<List<T>> divide(String partition, int mostRows, List<T> things, Function<T, Write> write) {
        List<List<T>> parts = new ArrayList<>();
        BatchRoom room = new BatchRoom(partition, mostRows);
        for (T thing : things) {
            Write row = write.apply(thing);
            if (parts.isEmpty() || !room.take(row)) {
                room = new BatchRoom(partition, mostRows);
                room.take(row);
                parts.add(new ArrayList<>());
            }
            parts.get(parts.size() - 1).add(thing);
        }
        return parts;
    }

    /** The first of them that fit one batch: at least one, if there is any. */
    public static <T> List<T> first(String partition, int mostRows, List<T> things, Function<T, Write> write) {
        BatchRoom room = new BatchRoom(partition, mostRows);
        int fitting = 0;
        while (fitting < things.size() && fitting < mostRows && room.take(write.apply(things.get(fitting)))) {
            fitting++;
        }
        return things.subList(0, fitting);
    }
}

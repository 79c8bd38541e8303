package org.azuremail.id;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * Issues numbers that are unique over all instances, compact and nearly in order. Each counter begins at 1. A process
 * takes blocks of 2, 4, 8 … numbers, so that 2^20 of them cost 20 writes. The unused rest of a process's last block
 * remains a gap, and so does a block whose write got no answer. At most about half of the numbers are skipped.
 *
 * <p>Safe for use from many threads and processes. The counters are rows of table {@code work} that are changed under
 * their ETag.
 */
public final class CompactIds {

    private final Table table;
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    public CompactIds(Storage storage) {
        this.table = new Table(storage.tables(), "work");
    }

    /**
     * Returns the next number of a counter.
     *
     * @param counter any text
     * @throws org.azuremail.storage.StorageException if no block could be taken; no number was issued
     */
    public long next(String counter) {
        return counter(counter).next();
    }

    /** Returns the first number of a counter that no process has taken. No number from this one on was ever issued. */
    public long firstUnused(String counter) {
        return counter(counter).firstUnused();
    }

    /**
     * Makes every process issue only numbers from {@code first} on in its later blocks. Repeatable; a counter that is
     * already further stays unchanged.
     *
     * @throws org.azuremail.storage.StorageException if the counter may not have been changed
     */
    public void skipTo(String counter, long first) {
        counter(counter).skipTo(first);
    }

    private Counter counter(String name) {
        return counters.computeIfAbsent(name, Counter::new);
    }

    /** A process's view of a counter: the block from which it takes numbers, and the row from which it takes blocks. */
    private final class Counter {

        private static final String PARTITION = "counter";
        private static final String NEXT = "Next";
        private static final long LARGEST_BLOCK = 1L << 20;

        private final String rowKey;
        private long next;
        private long end;
        private long block = 2;
        /** The first number that no process has taken, as far as known. */
        private long firstUnused = 1;
        /** The ETag of the row that was read; null if the row does not exist, as far as known. */
        private @Nullable String etag;
        /** Whether a write since then was refused, or its answer was lost. */
        private boolean outdated;

        Counter(String name) {
            this.rowKey = KeyEscaper.escape(name);
        }

        synchronized long next() {
            if (next == end) {
                // A block is skipped if the answer to its write was lost.
                ConditionalWrites.retryIdempotentUntilDone("counter " + rowKey, this::tryBlock);
            }
            return next++;
        }

        synchronized long firstUnused() {
            read();
            return firstUnused;
        }

        synchronized void skipTo(long first) {
            next = end;
            ConditionalWrites.retryUntilDone("counter " + rowKey, () -> {
                read();
                return firstUnused >= first || writeFirstUnused(first);
            });
        }

        /** Tries to take a block. A process's first attempt assumes that the counter is new, which saves a read. */
        private boolean tryBlock() {
            if (outdated) {
                read();
            }
            long first = firstUnused;
            if (!writeFirstUnused(first + block)) {
                return false;
            }
            next = first;
            end = firstUnused;
            block = Math.min(block * 2, LARGEST_BLOCK);
            return true;
        }

        /** Sets the first free number, under the known ETag. */
        private boolean writeFirstUnused(long now) {
            outdated = true;
            Values values = Values.of(NEXT, now);
            Write write = Write.put(etag, rowKey, values);
            if (!(table.write(PARTITION, write) instanceof WriteResult.Written written)) {
                return false;
            }
            firstUnused = now;
            etag = written.etag();
            outdated = false;
            return true;
        }

        private void read() {
            Optional<Row> row = table.get(PARTITION, rowKey);
            firstUnused = row.map(found -> found.values().number(NEXT, 1)).orElse(firstUnused);
            etag = row.map(Row::etag).orElse(null);
            outdated = false;
        }
    }
}

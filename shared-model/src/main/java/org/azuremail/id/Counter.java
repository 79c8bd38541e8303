package org.azuremail.id;

import java.util.Optional;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Row;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/** A process's view of a counter: the block from which it takes numbers, and the row from which it takes blocks. */
final class Counter {

    private static final String PARTITION = "counter";
    private static final String NEXT = "Next";
    private static final long LARGEST_BLOCK = 1L << 20;

    private final Table table;
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

    Counter(Table table, String name) {
        this.table = table;
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

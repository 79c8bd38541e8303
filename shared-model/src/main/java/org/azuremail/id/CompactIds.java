package org.azuremail.id;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;

/**
 * Numbers that are unique over all instances, compact and nearly in order: each counter begins at 1. A process takes
 * blocks of 2, 4, 8 … numbers, so that 2^20 of them cost 20 writes; what a process leaves of its last block, or a write
 * whose answer was lost, is a gap for ever. At most about half of the numbers are skipped.
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
     * The next number of a counter.
     *
     * @param counter any text
     * @throws org.azuremail.storage.StorageException when no block could be taken; nothing was issued
     */
    public long next(String counter) {
        return counter(counter).next();
    }

    /** Returns the first number of a counter that no process has taken. No number from here on was ever given. */
    public long free(String counter) {
        return counter(counter).free();
    }

    /**
     * Leaves a gap: from now on every process that takes a block gets numbers from {@code first} on. Repeatable; a counter
     * that is there already stays where it is.
     *
     * @throws org.azuremail.storage.StorageException when the gap may not have been made
     */
    public void skipTo(String counter, long first) {
        counter(counter).skipTo(first);
    }

    private Counter counter(String name) {
        return counters.computeIfAbsent(name, key -> new Counter(table, key));
    }
}

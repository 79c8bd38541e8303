package org.azuremail.id;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;

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
        return counters.computeIfAbsent(name, key -> new Counter(table, key));
    }
}

package org.azuremail.storage.version;

import java.time.Duration;

/**
 * Tells whether this program may still work on the stored data. It is checked with each lease and whenever work is
 * found. Safe for use by many threads.
 */
@FunctionalInterface
public interface StoreGate {

    /** The maximum age of the answer while the process has work. */
    Duration BUSY = Duration.ofSeconds(60);

    /** The maximum age of the answer while the process is idle. An idle process does not read anything else either. */
    Duration IDLE = Duration.ofHours(6);

    /** A gate for tests and commands, which end before an admin upgrades their storage. */
    StoreGate ALWAYS_OPEN = atMostOld -> true;

    /**
     * Returns whether this program may work on the stored data.
     *
     * @param maxAge the maximum age of the answer
     * @return false if a newer program has upgraded the storage; the caller must then begin nothing new
     * @throws org.azuremail.storage.StorageException if the format cannot be read
     */
    boolean isOpen(Duration maxAge);

    /** Discards the last answer, because a process that may be newer has started. The next answer is a new read. */
    default void forget() {}
}

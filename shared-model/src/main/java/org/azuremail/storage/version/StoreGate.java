package org.azuremail.storage.version;

import java.time.Duration;

/**
 * Whether this program may still work on the stored data. Asked with each lease and whenever work is found; safe for use
 * from many threads.
 */
@FunctionalInterface
public interface StoreGate {

    /** The greatest age of the answer while there is work. */
    Duration BUSY = Duration.ofSeconds(60);

    /** The greatest age of the answer while there is no work: an idle process does not read anything else either. */
    Duration IDLE = Duration.ofHours(6);

    /** A gate for tests and commands, which end before an admin upgrades their storage. */
    StoreGate ALWAYS_OPEN = atMostOld -> true;

    /**
     * @param atMostOld how long ago the storage may have been asked
     * @return false when a newer program has upgraded the storage: begin nothing new
     * @throws org.azuremail.storage.StorageException when the storage cannot tell
     */
    boolean open(Duration atMostOld);

    /** A process has started, perhaps a newer one: the next answer comes from the storage. */
    default void forget() {}
}

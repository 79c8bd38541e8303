package org.azuremail.storage.version;

import java.time.Duration;

/**
 * Whether this program may still work on what is stored. Asked with each lease and whenever work was found;
 * safe for use from many threads.
 */
@FunctionalInterface
public interface StoreGate {

    /** The greatest age of the answer while there is work. */
    Duration BUSY = Duration.ofSeconds(60);

    /** The greatest age of the answer while there is none: an idle process reads nothing else either. */
    Duration IDLE = Duration.ofHours(6);

    /** For tests and commands, which end before anybody upgrades what they work on. */
    StoreGate ALWAYS_OPEN = atMostOld -> true;

    /**
     * @param atMostOld how long ago the storage may have been asked
     * @return false when a newer program has upgraded the storage: take nothing new
     * @throws org.azuremail.storage.StorageException when nobody can know
     */
    boolean open(Duration atMostOld);

    /** A process has started, maybe a newer one: the next answer comes from the storage. */
    default void forget() {}
}

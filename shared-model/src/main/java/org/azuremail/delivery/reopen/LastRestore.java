package org.azuremail.delivery.reopen;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.storage.Storage;

/**
 * Tells features that send by themselves when this storage was last restored from a backup, because the storage has no
 * record of what they sent since the backup. Only for workers: a restore is recorded before they run, and not while
 * they run. Safe for use from many threads.
 */
public class LastRestore {

    private final Storage storage;
    private Optional<Instant> noticedAt = Optional.empty();
    private boolean read;

    public LastRestore(Storage storage) {
        this.storage = storage;
    }

    /** Returns when the last restore was noticed; empty if there was none. Reads the storage once. */
    public synchronized Optional<Instant> noticedAt() {
        if (!read) {
            noticedAt = RestoreRecord.last(storage).map(record -> record.value().noticedAt());
            read = true;
        }
        return noticedAt;
    }
}

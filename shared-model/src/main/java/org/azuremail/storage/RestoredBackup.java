package org.azuremail.storage;

import java.time.Instant;
import java.util.Optional;

/**
 * Tells whether the data was restored from a backup. Restored data has no record of events after the backup was made,
 * including emails that were sent. Senders must take that into account before they continue.
 */
public interface RestoredBackup {

    /** Returns the time of the backup that was restored; empty if no backup was, or if the restore was handled. */
    Optional<Instant> madeAt();

    /** Records durably that the restore was taken into account. */
    void markHandled();

    /** A storage that was never restored from a backup. */
    RestoredBackup NONE = new RestoredBackup() {
        @Override
        public Optional<Instant> madeAt() {
            return Optional.empty();
        }

        @Override
        public void markHandled() {}
    };
}

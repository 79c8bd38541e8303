package org.azuremail.storage;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether the data was restored from a backup. Everything that happened after the backup was made is then forgotten, including
 * emails that were sent, and senders must take that into account before they continue.
 */
public interface RestoredBackup {

    /** The time of the backup from which this storage was restored; empty once that is handled. */
    Optional<Instant> madeAt();

    /** Records durably that the restore was taken into account. */
    void handled();

    /** A storage that was never restored from a backup. */
    RestoredBackup NONE = new RestoredBackup() {
        @Override
        public Optional<Instant> madeAt() {
            return Optional.empty();
        }

        @Override
        public void handled() {}
    };
}

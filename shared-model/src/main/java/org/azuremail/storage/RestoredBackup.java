package org.azuremail.storage;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether what is stored was put back from a backup: then everything that happened after the backup was made is
 * forgotten, mail that left included, and whoever sends has to reckon with that before going on.
 */
public interface RestoredBackup {

    /** The time of the backup from which this storage was restored; empty once that is handled. */
    Optional<Instant> madeAt();

    /** The restore was reckoned with: durably forgets it. */
    void handled();

    /** The store was never put back from a backup. */
    RestoredBackup NONE = new RestoredBackup() {
        @Override
        public Optional<Instant> madeAt() {
            return Optional.empty();
        }

        @Override
        public void handled() {}
    };
}

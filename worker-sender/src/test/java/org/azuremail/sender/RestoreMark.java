package org.azuremail.sender;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.storage.RestoredBackup;

/** The mark that a restored backup has until a process has handled it. */
final class RestoreMark implements RestoredBackup {

    private Optional<Instant> madeAt;

    RestoreMark(Optional<Instant> madeAt) {
        this.madeAt = madeAt;
    }

    @Override
    public Optional<Instant> madeAt() {
        return madeAt;
    }

    @Override
    public void markHandled() {
        madeAt = Optional.empty();
    }
}

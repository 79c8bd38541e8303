package org.azuremail.copy;

import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/**
 * Lets no process run on a storage that is or was copied. A process records its start before it looks for a mark a second time,
 * and a copy writes its mark before it looks for processes that start: so the second of the two always sees the first.
 */
final class StartCheck {

    private StartCheck() {}

    /**
     * Two queries and a write.
     *
     * @throws MovedStorageException when no process may run here
     * @throws org.azuremail.storage.StorageException when the storage cannot tell
     */
    static void pass(Storage storage, Time time) {
        CopyState marks = new CopyState(storage);
        MovedStorageException.throwIfMoved(marks.read());
        marks.startedAt(time.instant());
        MovedStorageException.throwIfMoved(marks.read());
    }
}

package org.azuremail.copy;

import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/**
 * Keeps processes from running on a storage that is or was copied. A process records its start and then checks for a
 * mark a second time. A copy writes its mark and then checks for processes that have started. So whichever of the two
 * writes second always sees the first.
 */
final class StartCheck {

    private StartCheck() {}

    /**
     * Checks a storage, with two queries and a write.
     *
     * @throws MovedStorageException if no process may run on this storage
     * @throws org.azuremail.storage.StorageException if the marks cannot be read or the start cannot be recorded
     */
    static void pass(Storage storage, Time time) {
        CopyMarks marks = new CopyMarks(storage);
        MovedStorageException.throwIfMoved(marks.read());
        marks.startedAt(time.instant());
        MovedStorageException.throwIfMoved(marks.read());
    }
}

package org.azuremail.copy;

import org.azuremail.storage.Storage;
import org.azuremail.time.Time;

/**
 * Lets no process run on a storage that is or was copied. It says that it starts before it looks a second time, and a copy
 * writes its mark before it looks who starts: whoever comes second sees the other.
 */
final class StartCheck {

    private StartCheck() {}

    /**
     * Two queries and a write.
     *
     * @throws MovedStorageException when nothing may run here
     * @throws org.azuremail.storage.StorageException when nobody can know
     */
    static void pass(Storage storage, Time time) {
        CopyState marks = new CopyState(storage);
        MovedStorageException.throwIfMoved(marks.read());
        marks.startedAt(time.instant());
        MovedStorageException.throwIfMoved(marks.read());
    }
}

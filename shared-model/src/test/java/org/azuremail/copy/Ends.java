package org.azuremail.copy;

import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.Time;

/** The ends of copies in tests, and whether processes may start on them. */
public final class Ends {

    private Ends() {}

    public static CopyEndpoint of(String name, SimulatedStorage storage) {
        return of(name, storage, storage.storage());
    }

    /** Returns an end whose storage is accessed through {@code seen}, which may fail. */
    static CopyEndpoint of(String name, SimulatedStorage storage, Storage seen) {
        return new CopyEndpoint(name, seen, storage::inventory, false, RestoredBackup.NONE);
    }

    static CopyEndpoint of(EmbeddedStorage storage) {
        return new CopyEndpoint(
                storage.path().toString(), storage.storage(), storage::inventory, false, storage.restoredBackup());
    }

    /** Returns whether a process can start on the storage. */
    public static boolean mayStart(Storage storage, Time time) {
        try {
            new CopyMarks(storage).start(time);
            return true;
        } catch (MovedStorageException moved) {
            return false;
        }
    }
}

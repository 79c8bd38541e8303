package org.azuremail.copy;

import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.Time;

/** Ends of copies in tests, and whether processes may start on them. */
public final class Ends {

    private Ends() {}

    public static CopyEnd of(String name, SimulatedStorage storage) {
        return of(name, storage, storage.storage());
    }

    /** Seen through something that fails. */
    static CopyEnd of(String name, SimulatedStorage storage, Storage seen) {
        return new CopyEnd(name, seen, storage::inventory, false, RestoredBackup.NONE);
    }

    static CopyEnd of(EmbeddedStorage storage) {
        return new CopyEnd(
                storage.path().toString(), storage.storage(), storage::inventory, false, storage.restoredBackup());
    }

    /** Returns whether a process starts. */
    public static boolean mayStart(Storage storage, Time time) {
        try {
            StartCheck.pass(storage, time);
            return true;
        } catch (MovedStorageException moved) {
            return false;
        }
    }
}

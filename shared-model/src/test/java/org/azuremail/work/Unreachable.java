package org.azuremail.work;

import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.EachCall;

/** A storage with one queue that is out of reach until it is repaired. */
public final class Unreachable {

    private final Storage storage;
    private boolean repaired;

    public Unreachable(Storage real, String queue) {
        EachCall call = (method, arguments, action) -> {
            if (arguments[0].equals(queue) && !repaired) {
                throw new StorageException(StorageException.Reason.UNAVAILABLE, queue + " is out of reach", null);
            }
            return action.done();
        };
        storage = call.of(real);
    }

    public Storage storage() {
        return storage;
    }

    public void repair() {
        repaired = true;
    }
}

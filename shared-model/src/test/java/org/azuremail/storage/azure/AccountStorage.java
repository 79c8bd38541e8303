package org.azuremail.storage.azure;

import java.time.Duration;
import org.azuremail.storage.Storage;

/** The test account as a storage, for contracts of features on the storage. */
public final class AccountStorage {

    private AccountStorage() {}

    /** Opens a storage with all three ports. */
    public static Storage open() {
        return TestClients.of().storage();
    }

    /** Waits until this time has passed, because the account's clock cannot be driven. */
    public static void letPass(Duration duration) {
        RealTime.letPass(duration);
    }
}

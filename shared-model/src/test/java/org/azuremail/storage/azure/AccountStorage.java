package org.azuremail.storage.azure;

import java.time.Duration;
import org.azuremail.storage.Storage;

/** The account for tests as the product's storage, for contracts of what is on it. */
public final class AccountStorage {

    private AccountStorage() {}

    /** All three ports. */
    public static Storage open() {
        return TestClients.of().storage();
    }

    /** Lets so much time pass before it returns: nobody drives the account's clock. */
    public static void letPass(Duration duration) {
        RealTime.letPass(duration);
    }
}

package org.azuremail.storage.azure;

import org.azuremail.storage.TableStore;
import org.azuremail.storage.TableStoreContract;
import org.junit.jupiter.api.Nested;

/** Runs the contract of tables on the test account. */
class AzureTableStoreIT {

    private static final TableStore TABLES = AccountStorage.open().tables();

    @Nested
    class Tables implements TableStoreContract {
        @Override
        public TableStore tables() {
            return TABLES;
        }
    }
}

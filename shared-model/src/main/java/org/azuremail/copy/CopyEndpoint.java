package org.azuremail.copy;

import java.util.function.Supplier;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Storage;

/**
 * One of the two storages of a copy.
 *
 * @param name the name for people and for the marks, which is always the same for one storage, such as
 *     {@code embedded:/var/lib/azuremail}
 * @param inventory lists everything in the storage, including data of other programs
 * @param shared whether the storage may also contain data of other programs
 * @param restored tells whether the storage was restored from a backup and the restore is not handled yet
 */
record CopyEndpoint(
        String name, Storage storage, Supplier<Storage.Inventory> inventory, boolean shared, RestoredBackup restored) {

    /** Returns the product's tables, queues and containers that exist in this storage. */
    Storage.Inventory names() {
        return Catalogue.ours(inventory.get());
    }
}

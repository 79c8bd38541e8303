package org.azuremail.copy;

import java.util.function.Supplier;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Storage;

/**
 * One of the two storages of a copy.
 *
 * @param name for people and for the marks; the same for the same storage, such as {@code embedded:/var/lib/azuremail}
 * @param inventory everything that is there now, including what is not the product's
 * @param shared whether it may also hold data of others
 * @param restored whether it was restored from a backup and that is not handled yet
 */
record CopyEnd(
        String name, Storage storage, Supplier<Storage.Inventory> inventory, boolean shared, RestoredBackup restored) {

    /** The tables, queues and containers of the product that are there now. */
    Storage.Inventory names() {
        return Catalogue.ours(inventory.get());
    }

    CopyState marks() {
        return new CopyState(storage);
    }
}

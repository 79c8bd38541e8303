package org.azuremail.blobset;

import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;

/** Finds sets by their names. A set needs no making: it is empty until something is added. */
public final class BlobSets {

    private final Storage storage;
    private final IdSource ids;

    public BlobSets(Storage storage, IdSource ids) {
        this.storage = storage;
        this.ids = ids;
    }

    /**
     * The set of this name, with what other processes have put into it.
     *
     * @param name any text of at most some 150 characters
     */
    public <T> BlobSet<T> set(String name, TextForm<T> form) {
        return new BlobSet<>(storage.blobs(), name, form, ids);
    }
}

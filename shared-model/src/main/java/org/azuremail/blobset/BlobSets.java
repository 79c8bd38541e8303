package org.azuremail.blobset;

import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;

/** Opens sets by their names. A set need not be created: it is empty until a value is added. */
record BlobSets(Storage storage, IdSource ids) {

    /**
     * The set of this name, which all processes share.
     *
     * @param name any text of at most some 150 characters
     */
    <T> BlobSet<T> set(String name, TextForm<T> form) {
        return new BlobSet<>(storage.blobs(), name, form, ids);
    }
}

package org.azuremail.blobset;

import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.work.queue.TextCodec;

/** Opens sets by name. A set need not be created, and is empty until a value is added. */
record BlobSets(Storage storage, IdSource ids) {

    /**
     * Returns the set of this name, which all processes share.
     *
     * @param name any text of at most about 150 characters
     */
    <T> BlobSet<T> set(String name, TextCodec<T> codec) {
        return new BlobSet<>(storage.blobs(), name, codec, ids);
    }
}

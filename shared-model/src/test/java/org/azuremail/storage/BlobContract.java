package org.azuremail.storage;

import java.nio.charset.StandardCharsets;

/** The blob store under test in the parts of the blob contract. */
interface BlobContract {

    /** Returns the store under test, the same one throughout a test. */
    BlobStore blobs();

    /** Creates a new container. */
    default String newContainer() {
        String container = FreshNames.next();
        blobs().createContainer(container);
        return container;
    }

    default String put(String container, String name, String text) {
        WriteResult result = blobs().put(container, name, bytes(text), BlobStore.ALWAYS);
        if (result instanceof WriteResult.Written written) {
            return written.etag();
        }
        throw new AssertionError("was not written: " + result);
    }

    default String text(String container, String name) {
        return new String(blobs().read(container, name).orElseThrow(), StandardCharsets.UTF_8);
    }

    default byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

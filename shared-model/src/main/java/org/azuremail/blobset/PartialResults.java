package org.azuremail.blobset;

import java.nio.charset.StandardCharsets;
import org.azuremail.storage.BlobStore;

/** What each chunk of a reduction came to. The same chunk comes to the same whoever repeats it, so a repeat overwrites. */
final class PartialResults {

    private static final String CONTAINER = "azuremail-jobs";

    private final BlobStore blobs;
    private volatile boolean made;

    PartialResults(BlobStore blobs) {
        this.blobs = blobs;
    }

    void put(String job, int level, int chunk, String text) {
        blobs().put(CONTAINER, name(job, level, chunk), text.getBytes(StandardCharsets.UTF_8), BlobStore.ALWAYS);
    }

    /** @throws IllegalStateException when there is none */
    String require(String job, int level, int chunk) {
        return blobs().read(CONTAINER, name(job, level, chunk))
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElseThrow(() -> new IllegalStateException(
                        "chunk " + chunk + " of level " + level + " of job " + job + " has no result"));
    }

    void forget(String job) {
        blobs().stream(CONTAINER, job + "/").forEach(blob -> blobs.delete(CONTAINER, blob.name(), BlobStore.ALWAYS));
    }

    private static String name(String job, int level, int chunk) {
        return job + "/" + level + "/" + chunk;
    }

    private BlobStore blobs() {
        if (!made) {
            blobs.createContainer(CONTAINER);
            made = true;
        }
        return blobs;
    }
}

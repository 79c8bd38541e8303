package org.azuremail.blobset;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.storage.BlobStore;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of jobs: results of chunks under {@code <job>/r/}, parts of files under {@code <job>/f/}. Each write creates a blob with
 * a new name, which counts only if a row names it.
 */
final class JobBlobs {

    private static final String CONTAINER = "azuremail-jobs";

    private final BlobStore blobs;
    private final IdSource ids;
    private volatile boolean created;

    JobBlobs(BlobStore blobs, IdSource ids) {
        this.blobs = blobs;
        this.ids = ids;
    }

    String putResult(String job, String text) {
        return put(results(job), text.getBytes(StandardCharsets.UTF_8));
    }

    String putFile(String job, byte[] content) {
        return put(files(job), content);
    }

    Optional<String> result(String job, String name) {
        return blobs().read(CONTAINER, results(job) + name).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    Optional<BlobStore.OpenBlob> openFile(String job, String name) {
        return blobs().open(CONTAINER, files(job) + name);
    }

    /** Deletes all results but one. */
    void forgetResults(String job, @Nullable String but) {
        forget(results(job), but == null ? "" : results(job) + but);
    }

    void forgetFiles(String job) {
        forget(files(job), "");
    }

    private String put(String prefix, byte[] content) {
        String name = ids.token();
        blobs().put(CONTAINER, prefix + name, content, BlobStore.ALWAYS);
        return name;
    }

    private void forget(String prefix, String but) {
        blobs().stream(CONTAINER, prefix)
                .filter(blob -> !blob.name().equals(but))
                .forEach(blob -> blobs.delete(CONTAINER, blob.name(), BlobStore.ALWAYS));
    }

    private static String results(String job) {
        return job + "/r/";
    }

    private static String files(String job) {
        return job + "/f/";
    }

    private BlobStore blobs() {
        if (!created) {
            blobs.createContainer(CONTAINER);
            created = true;
        }
        return blobs;
    }
}

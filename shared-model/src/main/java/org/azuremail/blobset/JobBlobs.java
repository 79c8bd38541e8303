package org.azuremail.blobset;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Container;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of jobs: results of chunks under {@code <job>/r/}, and parts of files under {@code <job>/f/}. Each write
 * creates a blob with a new name. A blob counts only if a row names it.
 */
final class JobBlobs {

    private static final String CONTAINER = "azuremail-jobs";

    private final Container blobs;
    private final IdSource ids;

    JobBlobs(BlobStore blobs, IdSource ids) {
        this.blobs = new Container(blobs, CONTAINER);
        this.ids = ids;
    }

    String putResult(String job, String text) {
        return put(results(job), text.getBytes(StandardCharsets.UTF_8));
    }

    String putFile(String job, byte[] content) {
        return put(files(job), content);
    }

    Optional<String> result(String job, String name) {
        return blobs.text(results(job) + name);
    }

    Optional<BlobStore.OpenBlob> openFile(String job, String name) {
        return blobs.open(files(job) + name);
    }

    void forgetResults(String job, @Nullable String but) {
        forget(results(job), but == null ? "" : results(job) + but);
    }

    void forgetFiles(String job) {
        forget(files(job), "");
    }

    private String put(String prefix, byte[] content) {
        String name = ids.token();
        blobs.put(prefix + name, content);
        return name;
    }

    private void forget(String prefix, String but) {
        blobs.stream(prefix).filter(blob -> !blob.name().equals(but)).forEach(blob -> blobs.delete(blob.name()));
    }

    private static String results(String job) {
        return job + "/r/";
    }

    private static String files(String job) {
        return job + "/f/";
    }
}

package org.azuremail.blobset;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Container;
import org.azuremail.work.queue.TextCodec;
import org.jspecify.annotations.Nullable;

/**
 * The sets of values, and the blobs of jobs: results of chunks under {@code <job>/r/}, and parts of files under {@code
 * <job>/f/}. Each write of a job creates a blob with a new name, which counts only if a row names it.
 */
final class JobBlobs {

    private static final String CONTAINER = "azuremail-jobs";

    private final BlobStore store;
    private final Container blobs;
    private final IdSource ids;

    JobBlobs(BlobStore store, IdSource ids) {
        this.store = store;
        this.blobs = new Container(store, CONTAINER);
        this.ids = ids;
    }

    /** Returns the set of this name, which is empty until a value is added. */
    <T> BlobSet<T> set(String name, TextCodec<T> codec) {
        return new BlobSet<>(store, name, codec, ids);
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

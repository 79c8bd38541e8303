package org.azuremail.copy;

import java.io.IOException;
import java.util.Optional;
import org.azuremail.copy.Position.Stage;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.BlobStore.OpenBlob;
import org.azuremail.storage.StorageException;

/** Copies a container in the order of names; contents are streamed. A blob that is copied again overwrites itself. */
final class BlobCopy {

    private static final int BLOBS_A_CHECKPOINT = 100;
    private static final long BYTES_A_CHECKPOINT = 8L * 1024 * 1024;

    private final BlobStore source;
    private final BlobStore target;
    private final Progress progress;
    private int blobs;
    private long bytes;

    BlobCopy(BlobStore source, BlobStore target, Progress progress) {
        this.source = source;
        this.target = target;
        this.progress = progress;
    }

    /** Blobs that were copied before are listed once more and skipped: no listing begins in the middle. */
    void copy(String container) {
        Position after = progress.position();
        String done = after.isIn(Stage.BLOBS, container) ? after.row() : "";
        source.stream(container, "")
                .filter(blob -> blob.name().compareTo(done) > 0)
                .forEach(blob -> copy(container, blob));
    }

    private void copy(String container, BlobInfo blob) {
        Optional<OpenBlob> open = source.open(container, blob.name());
        if (open.isPresent()) {
            put(container, open.get());
        }
        blobs++;
        bytes += blob.size();
        if (blobs >= BLOBS_A_CHECKPOINT || bytes >= BYTES_A_CHECKPOINT) {
            progress.reach(Position.afterBlob(container, blob.name()));
            blobs = 0;
            bytes = 0;
        }
    }

    private void put(String container, OpenBlob blob) {
        String name = blob.info().name();
        try (var content = blob.content()) {
            target.put(container, name, content, BlobStore.ALWAYS);
        } catch (IOException e) {
            throw new StorageException(
                    StorageException.Reason.UNAVAILABLE, "blob " + container + "/" + name + " broke off", e);
        }
    }
}

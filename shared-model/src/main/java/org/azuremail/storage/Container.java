package org.azuremail.storage;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import org.azuremail.storage.BlobStore.BlobInfo;

/**
 * One container of a {@link BlobStore}. Like a {@link Table}, it is created when it is first used. Its guarantees and
 * exceptions are those of {@link BlobStore}. Safe for use by many threads.
 */
public final class Container {

    private final BlobStore blobs;
    private final String name;
    private volatile boolean created;

    /** @throws IllegalArgumentException if the name is not valid for a container */
    public Container(BlobStore blobs, String name) {
        this.blobs = blobs;
        this.name = StorageLimits.requireContainer(name);
    }

    public String name() {
        return name;
    }

    /** Stores a small blob, replacing an existing one. */
    public void put(String blob, byte[] content) {
        put(blob, content, BlobStore.ALWAYS);
    }

    /** Stores a small text in UTF-8, replacing an existing blob. */
    public void put(String blob, String text) {
        put(blob, text.getBytes(StandardCharsets.UTF_8));
    }

    public WriteResult put(String blob, byte[] content, BlobStore.Condition condition) {
        return store().put(name, blob, content, condition);
    }

    public Optional<byte[]> read(String blob) {
        return store().read(name, blob);
    }

    public Optional<String> text(String blob) {
        return read(blob).map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }

    public Optional<BlobStore.OpenBlob> open(String blob) {
        return store().open(name, blob);
    }

    public WriteResult delete(String blob) {
        return store().delete(name, blob, BlobStore.ALWAYS);
    }

    /** Deletes a blob if it still has the ETag that was listed. */
    public WriteResult delete(BlobInfo listed) {
        return store().delete(name, listed.name(), new BlobStore.Condition.AtEtag(listed.etag()));
    }

    /**
     * Returns all blobs whose names begin with the prefix, sorted by name. Pages are listed as the stream is consumed.
     */
    public Stream<BlobInfo> stream(String prefix) {
        return store().stream(name, prefix);
    }

    private BlobStore store() {
        if (!created) {
            blobs.createContainer(name);
            created = true;
        }
        return blobs;
    }
}

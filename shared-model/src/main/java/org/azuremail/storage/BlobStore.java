package org.azuremail.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store of blobs with ETags. Readers see a write completely or not at all. If a blob is overwritten or deleted while
 * it is read, the reader either gets the rest of the old content or fails with a {@link StorageException} or
 * {@link IOException}; it never gets a mixture. Content is streamed and never held in memory whole. Safe for use by
 * many threads and processes.
 */
public interface BlobStore {

    record BlobInfo(String name, String etag, long size, Instant modifiedAt) {}

    /** A blob that is open for reading. The caller must close the stream. */
    record OpenBlob(BlobInfo info, InputStream content) {

        /**
         * Returns a blob whose content is fetched as it is read.
         *
         * @param first the first chunk
         * @param chunks fetches the chunk that begins at a position, in bytes; may throw a {@link StorageException}
         */
        public static OpenBlob inChunks(BlobInfo info, byte[] first, LongFunction<byte[]> chunks) {
            return new OpenBlob(info, new ChunkedContent(info.size(), first, chunks));
        }
    }

    sealed interface Condition {
        /** No condition. */
        record Always() implements Condition {}

        /** The blob must not exist. */
        record Absent() implements Condition {}

        /** The blob must still have this ETag. */
        record AtEtag(String etag) implements Condition {}
    }

    Condition ALWAYS = new Condition.Always();
    Condition ABSENT = new Condition.Absent();

    /**
     * Creates a container unless it exists.
     *
     * @param container 3 to 63 lower-case letters, digits and single dashes
     */
    void createContainer(String container);

    /**
     * Stores a blob.
     *
     * @param name 1 to 512 characters of printable ASCII without backslash
     * @param content read to its end; not closed
     * @return {@code Written} with the new ETag, {@code Exists} if the blob had to be absent but exists, {@code Stale}
     *     if the blob has another ETag, or {@code Missing} if an ETag was given but the blob does not exist
     * @throws IOException if the content cannot be read; nothing is stored then
     */
    WriteResult put(String container, String name, InputStream content, Condition condition) throws IOException;

    Optional<OpenBlob> open(String container, String name);

    /**
     * Deletes a blob under a condition; {@link #ALWAYS} deletes any version.
     *
     * @return {@code Written} (its ETag is empty), {@code Missing} or {@code Stale}
     */
    WriteResult delete(String container, String name, Condition condition);

    /**
     * Returns a page of the blobs whose names begin with the prefix, sorted by name.
     *
     * @param limit the most blobs on the page, at most 1,000
     * @param continuation from the previous page, or {@code null} for the first page
     */
    Page<BlobInfo> list(String container, String prefix, int limit, @Nullable String continuation);

    /**
     * Returns all blobs whose names begin with the prefix, sorted by name. Pages are listed as the stream is consumed.
     */
    default Stream<BlobInfo> stream(String container, String prefix) {
        return Page.stream(continuation -> list(container, prefix, TableStore.MAX_PAGE, continuation));
    }

    /** Stores a small blob that is already in memory. */
    default WriteResult put(String container, String name, byte[] content, Condition condition) {
        try {
            return put(container, name, new ByteArrayInputStream(content), condition);
        } catch (IOException e) {
            throw new IllegalStateException("reading an array cannot fail", e);
        }
    }

    /**
     * Reads a small blob into memory.
     *
     * @throws StorageException UNAVAILABLE if reading breaks off
     */
    default Optional<byte[]> read(String container, String name) {
        Optional<OpenBlob> open = open(container, name);
        if (open.isEmpty()) {
            return Optional.empty();
        }
        try (InputStream content = open.get().content()) {
            return Optional.of(content.readAllBytes());
        } catch (IOException e) {
            throw new StorageException(
                    StorageException.Reason.UNAVAILABLE, "blob " + container + "/" + name + " broke off", e);
        }
    }
}

package org.azuremail.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import org.azuremail.storage.BlobStore.OpenBlob;
import org.junit.jupiter.api.Test;

/** The contract of large contents, broken contents, and contents that change while they are read. */
interface BlobStreamContract extends BlobContract {

    int LARGE = 20 * 1024 * 1024 + 17;

    @Test
    default void largeBlobIsReadBackAsItWasStreamed() throws Exception {
        String container = newContainer();
        assertThat(blobs().put(container, "large", new PatternStream(1, LARGE), BlobStore.ALWAYS)
                        .written())
                .isTrue();
        OpenBlob open = blobs().open(container, "large").orElseThrow();
        assertThat(open.info().size()).isEqualTo(LARGE);
        try (InputStream content = open.content()) {
            new PatternStream(1, LARGE).assertIs(content);
        }
    }

    @Test
    default void emptyBlobIsABlob() {
        String container = newContainer();
        put(container, "empty", "");
        assertThat(blobs().read(container, "empty").orElseThrow()).isEmpty();
        assertThat(blobs().open(container, "empty").orElseThrow().info().size()).isZero();
    }

    @Test
    default void smallerBlobReplacesALargerOneCompletely() throws Exception {
        String container = newContainer();
        blobs().put(container, "a", new PatternStream(1, 3_000_000), BlobStore.ALWAYS);
        put(container, "a", "small");
        assertThat(text(container, "a")).isEqualTo("small");
    }

    @Test
    default void contentThatBreaksOffStoresNothing() throws Exception {
        String container = newContainer();
        put(container, "old", "old");
        for (int length : new int[] {0, 100, 5_000_000}) {
            for (String name : new String[] {"old", "new"}) {
                assertThatIOException()
                        .isThrownBy(() -> blobs().put(container, name, breaksOffAfter(length), BlobStore.ALWAYS))
                        .withMessage("the upload broke off");
            }
        }
        assertThat(text(container, "old")).isEqualTo("old");
        assertThat(blobs().open(container, "new")).isEmpty();
    }

    private static InputStream breaksOffAfter(int length) {
        return new SequenceInputStream(new PatternStream(2, length), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the upload broke off");
            }
        });
    }

    @Test
    default void readerNeverReadsAMixtureWhenTheBlobIsOverwritten() throws Exception {
        String container = newContainer();
        blobs().put(container, "a", new PatternStream(3, LARGE), BlobStore.ALWAYS);
        try (InputStream content = blobs().open(container, "a").orElseThrow().content()) {
            byte[] begin = content.readNBytes(1000);
            assertThat(begin).isEqualTo(new PatternStream(3, 1000).readAllBytes());
            blobs().put(container, "a", new PatternStream(4, LARGE), BlobStore.ALWAYS);
            readsTheOldOrFails(content, 3, 1000);
        }
        try (InputStream content = blobs().open(container, "a").orElseThrow().content()) {
            new PatternStream(4, LARGE).assertIs(content);
        }
    }

    @Test
    default void readerNeverReadsATruncatedBlobWhenItIsDeleted() throws Exception {
        String container = newContainer();
        blobs().put(container, "a", new PatternStream(5, LARGE), BlobStore.ALWAYS);
        try (InputStream content = blobs().open(container, "a").orElseThrow().content()) {
            content.readNBytes(1000);
            blobs().delete(container, "a", BlobStore.ALWAYS);
            readsTheOldOrFails(content, 5, 1000);
        }
    }

    /** Reads the rest of the old blob. A failure is allowed, but no early end. */
    private static void readsTheOldOrFails(InputStream content, int seed, int from) throws IOException {
        InputStream expected = new PatternStream(seed, LARGE);
        expected.skipNBytes(from);
        while (true) {
            byte[] next;
            try {
                next = content.readNBytes(64 * 1024);
            } catch (StorageException | IOException e) {
                return;
            }
            assertThat(next).isEqualTo(expected.readNBytes(64 * 1024));
            if (next.length == 0) {
                return;
            }
        }
    }
}

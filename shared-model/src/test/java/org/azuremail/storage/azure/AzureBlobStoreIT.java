package org.azuremail.storage.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.Condition;
import org.azuremail.storage.BlobStoreContract;
import org.azuremail.storage.FreshNames;
import org.azuremail.storage.PatternStream;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.WriteResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Checks blobs on the test account: the contract, and behaviour that only Azure has. */
class AzureBlobStoreIT {

    private static final LostAnswers REQUESTS = new LostAnswers();
    private static final BlobStore ACCOUNT = AccountStorage.open().blobs();
    private static final BlobStore STORE =
            new AzureBlobStore(TestClients.of(REQUESTS).blobs());

    @Nested
    class Contract implements BlobStoreContract {
        @Override
        public BlobStore blobs() {
            return ACCOUNT;
        }
    }

    @Nested
    class OnlyHere {

        private static final int LARGE = 2 * BlobBlocks.BYTES + 17;

        private final String container = FreshNames.next();

        @BeforeEach
        void createContainer() {
            STORE.createContainer(container);
        }

        private WriteResult put(String name, InputStream content, Condition condition) {
            try {
                return STORE.put(container, name, content, condition);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private WriteResult put(String name, String text) {
            return STORE.put(container, name, text.getBytes(StandardCharsets.UTF_8), BlobStore.ALWAYS);
        }

        private String text(String name) {
            return new String(STORE.read(container, name).orElseThrow(), StandardCharsets.UTF_8);
        }

        @Test
        void aSmallBlobTakesOneRequestEachWay() {
            REQUESTS.loseThe(0);
            put("a", "x");
            assertThat(REQUESTS.tries()).isEqualTo(1);
            STORE.list(container, "", 1, null);
            assertThat(REQUESTS.tries()).isEqualTo(2);
            STORE.read(container, "a");
            assertThat(REQUESTS.tries()).isEqualTo(3);
            STORE.delete(container, "a", BlobStore.ALWAYS);
            assertThat(REQUESTS.tries()).isEqualTo(4);
        }

        @Test
        void etagIsTheSameInEveryAnswer() {
            String etag = put("a", "x") instanceof WriteResult.Written written ? written.etag() : "";

            String opened = STORE.open(container, "a").orElseThrow().info().etag();
            String listed = STORE.list(container, "", 1, null).items().get(0).etag();

            assertThat(opened).isEqualTo(etag);
            assertThat(listed).isEqualTo(etag);
            assertThat(STORE.delete(container, "a", new Condition.AtEtag(listed))
                            .written())
                    .isTrue();
        }

        @Test
        void readingAnOverwrittenBlobFails() throws Exception {
            put("a", new PatternStream(1, LARGE), BlobStore.ALWAYS);
            try (InputStream content = STORE.open(container, "a").orElseThrow().content()) {
                content.readNBytes(BlobBlocks.BYTES);
                put("a", new PatternStream(2, LARGE), BlobStore.ALWAYS);

                assertThatExceptionOfType(StorageException.class)
                        .isThrownBy(content::readAllBytes)
                        .withMessageContaining("was changed while it was read")
                        .returns(Reason.UNAVAILABLE, StorageException::reason);
            }
        }

        @Test
        void slowUploadDoesNotOverwriteALaterWrite() {
            assertThat(put("new", interrupted("new"), BlobStore.ABSENT)).isEqualTo(new WriteResult.Exists());
            assertThat(text("new")).isEqualTo("finished first");

            put("old", "old");
            String etag = STORE.open(container, "old").orElseThrow().info().etag();
            assertThat(put("old", interrupted("old"), new Condition.AtEtag(etag)))
                    .isEqualTo(new WriteResult.Stale());
            assertThat(text("old")).isEqualTo("finished first");
        }

        @Test
        void slowUploadIsStoredCompletelyOrNotAtAll() throws Exception {
            try {
                put("a", interrupted("a"), BlobStore.ALWAYS);
            } catch (StorageException e) {
                assertThat(e.retryable()).isTrue();
                assertThat(text("a")).isEqualTo("finished first");
                return;
            }
            try (InputStream content = STORE.open(container, "a").orElseThrow().content()) {
                new PatternStream(1, LARGE).assertIs(content);
            }
        }

        /** Returns a content that, while it is read, is overwritten under the same name. */
        private InputStream interrupted(String name) {
            return new SequenceInputStream(new PatternStream(1, LARGE), new InputStream() {
                @Override
                public int read() {
                    put(name, "finished first");
                    return -1;
                }
            });
        }

        @Test
        void blocksOfABrokenUploadAreNotListed() {
            InputStream breaksOff = new SequenceInputStream(new PatternStream(1, LARGE), new InputStream() {
                @Override
                public int read() throws IOException {
                    throw new IOException("the upload broke off");
                }
            });

            assertThatIOException().isThrownBy(() -> STORE.put(container, "a", breaksOff, BlobStore.ABSENT));

            assertThat(STORE.list(container, "", 10, null).items()).isEmpty();
            assertThat(put("a", new PatternStream(2, LARGE), BlobStore.ABSENT).written())
                    .isTrue();
        }

        @Test
        void contentOfManyBlocksIsStreamed() throws Exception {
            long size = 12L * BlobBlocks.BYTES;
            put("a", new PatternStream(1, size), BlobStore.ALWAYS);

            try (InputStream content = STORE.open(container, "a").orElseThrow().content()) {
                assertThat(content.available()).isEqualTo(BlobBlocks.BYTES);
                assertThat(content.transferTo(OutputStream.nullOutputStream())).isEqualTo(size);
            }
        }
    }
}

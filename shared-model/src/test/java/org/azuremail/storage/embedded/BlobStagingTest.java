package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.PatternStream;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks large contents while they are stored, and the remains of incomplete ones. */
class BlobStagingTest {

    private static final int LARGE = 3 * BlobStaging.CHUNK_BYTES + 5;

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private EmbeddedStorage storage;

    @BeforeEach
    void open() {
        storage = EmbeddedStorage.open(directory, time);
        storage.storage().blobs().createContainer("blobs");
    }

    @AfterEach
    void close() {
        storage.close();
    }

    @Test
    void slowUploadDoesNotDelayOtherWrites() throws Exception {
        storage.storage().tables().createTable("busy");
        PipedOutputStream upload = new PipedOutputStream();
        InputStream slow = new SequenceInputStream(new PatternStream(1, LARGE), new PipedInputStream(upload));
        CompletableFuture<WriteResult> put = CompletableFuture.supplyAsync(() -> put("slow", slow));
        for (int i = 0; i < 50; i++) {
            assertThat(storage.storage()
                            .tables()
                            .write("busy", "p", Write.insert("r" + i, Values.none()))
                            .written())
                    .isTrue();
        }
        assertThat(put).isNotDone();
        upload.write("the end".getBytes(StandardCharsets.US_ASCII));
        upload.close();
        assertThat(put.join().written()).isTrue();
        assertThat(storage.storage()
                        .blobs()
                        .open("blobs", "slow")
                        .orElseThrow()
                        .info()
                        .size())
                .isEqualTo(LARGE + 7);
    }

    @Test
    void overwrittenRefusedAndDeletedBlobsLeaveNoChunks() throws Exception {
        put("a", new PatternStream(1, LARGE));
        assertThat(chunks()).isEqualTo(4);
        put("a", new PatternStream(2, LARGE));
        assertThat(storage.storage().blobs().put("blobs", "a", new PatternStream(3, LARGE), BlobStore.ABSENT))
                .isEqualTo(new WriteResult.Exists());
        assertThat(chunks()).isEqualTo(4);
        storage.storage().blobs().delete("blobs", "a", BlobStore.ALWAYS);
        assertThat(chunks()).isZero();
    }

    @Test
    void aSmallBlobThatIsRefusedLeavesNoChunk() throws Exception {
        put("a", new PatternStream(1, 100));

        assertThat(storage.storage().blobs().put("blobs", "a", new PatternStream(2, 100), BlobStore.ABSENT))
                .isEqualTo(new WriteResult.Exists());

        assertThat(chunks()).isEqualTo(1);
    }

    @Test
    void uploadThatBreaksOffLeavesNoChunks() throws Exception {
        assertThatIOException()
                .isThrownBy(() -> storage.storage().blobs().put("blobs", "a", breakingOff(), BlobStore.ALWAYS));
        assertThat(chunks()).isZero();
    }

    @Test
    void chunksLeftByACrashAreDeletedAfterAnHourWhenTheFileIsOpened() throws Exception {
        put("kept", new PatternStream(1, LARGE));
        storage.close();
        leaveAnUploadBehind();
        open();
        assertThat(chunks()).as("somebody may still be at it").isEqualTo(5);
        time.advance(Duration.ofHours(1).plusSeconds(1));
        storage.close();
        open();
        assertThat(chunks()).isEqualTo(4);
        assertThat(storage.storage().blobs().read("blobs", "kept").orElseThrow())
                .hasSize(LARGE);
    }

    @Test
    void uploadThatPausedForTooLongFailsInsteadOfStoringAPart() throws Exception {
        InputStream pausing = new SequenceInputStream(new PatternStream(1, LARGE), new InputStream() {
            @Override
            public int read() {
                time.advance(Duration.ofHours(2));
                put("another", new PatternStream(2, LARGE));
                return -1;
            }
        });
        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> put("paused", pausing));
        assertThat(storage.storage().blobs().open("blobs", "paused")).isEmpty();
        assertThat(chunks()).isEqualTo(4);
    }

    @Test
    void contentsAreNeverInMemoryWhole() throws Exception {
        try (ChildProcess child = ChildProcess.start(SmallProcess.class, "40m", directory.toString())) {
            assertThat(child.line()).isEqualTo("stored and read 104857600 bytes");
            assertThat(child.exitCode()).isZero();
        }
    }

    /** A process with less memory than the size of the blob that it stores and reads. */
    static final class SmallProcess {

        private SmallProcess() {}

        public static void main(String[] arguments) throws IOException {
            int size = 100 * 1024 * 1024;
            try (EmbeddedStorage storage = EmbeddedStorage.open(Path.of(arguments[0]), Time.system())) {
                storage.storage().blobs().put("blobs", "huge", new PatternStream(1, size), BlobStore.ALWAYS);
                try (InputStream content = storage.storage()
                        .blobs()
                        .open("blobs", "huge")
                        .orElseThrow()
                        .content()) {
                    System.out.println(
                            "stored and read " + content.transferTo(OutputStream.nullOutputStream()) + " bytes");
                }
            }
        }
    }

    private WriteResult put(String name, InputStream content) {
        try {
            return storage.storage().blobs().put("blobs", name, content, BlobStore.ALWAYS);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static InputStream breakingOff() {
        return new SequenceInputStream(new PatternStream(1, LARGE), new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("the upload broke off");
            }
        });
    }

    private void leaveAnUploadBehind() throws SQLException {
        try (Session crashed = DataFile.in(directory).openWriter(Schema.CURRENT)) {
            crashed.update(
                    "INSERT INTO blob_staging (content, touched) VALUES (?, ?)", 7L, ValueCodec.micros(time.instant()));
            crashed.update("INSERT INTO blob_chunk (content, number, bytes) VALUES (?, ?, ?)", 7L, 0, new byte[10]);
        }
    }

    private long chunks() throws SQLException {
        try (Session session = DataFile.in(directory).openReader()) {
            return session.number(-1, "SELECT count(*) FROM blob_chunk");
        }
    }
}

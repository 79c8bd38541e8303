package org.azuremail.storage.embedded;

import java.nio.file.Path;
import java.time.Duration;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStoreContract;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.QueueStoreContract;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.TableStoreContract;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Runs the contracts on one file for all tests. Each test uses its own names, as on a shared account. */
class EmbeddedStorageContractTest {

    private static final ManualTime TIME = new ManualTime();

    @TempDir
    private static Path directory;

    private static EmbeddedStorage storage;

    @BeforeAll
    static void open() {
        storage = EmbeddedStorage.open(directory, TIME);
    }

    @AfterAll
    static void close() {
        storage.close();
    }

    @Nested
    class Tables implements TableStoreContract {
        @Override
        public TableStore tables() {
            return storage.storage().tables();
        }
    }

    @Nested
    class Queues implements QueueStoreContract {
        @Override
        public QueueStore queues() {
            return storage.storage().queues();
        }

        @Override
        public void letPass(Duration duration) {
            TIME.advance(duration);
        }
    }

    @Nested
    class Blobs implements BlobStoreContract {
        @Override
        public BlobStore blobs() {
            return storage.storage().blobs();
        }
    }
}

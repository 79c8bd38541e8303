package org.azuremail.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventLogTest {

    private final ManualTime time = new ManualTime();

    @Nested
    class Simulated implements EventLogContract {

        private final Storage storage = new SimulatedStorage(time, 30).storage();

        @Override
        public Storage storage() {
            return storage;
        }

        @Override
        public ManualTime time() {
            return time;
        }
    }

    @Nested
    class Embedded implements EventLogContract {

        @TempDir
        Path folder;

        private EmbeddedStorage storage;

        @BeforeEach
        void open() {
            storage = EmbeddedStorage.open(folder, time);
        }

        @AfterEach
        void close() {
            storage.close();
        }

        @Override
        public Storage storage() {
            return storage.storage();
        }

        @Override
        public ManualTime time() {
            return time;
        }
    }

    @Test
    void endlessTextIsCutBetweenCharacters() {
        Event event = new Event(
                Instant.EPOCH,
                EventLevel.ERROR,
                "",
                "",
                "x".repeat(499) + "\uD83D\uDE00",
                "\uD83D\uDE00".repeat(20_000));

        assertThat(event.title()).isEqualTo("x".repeat(499));
        assertThat(event.details()).hasSize(32_000).endsWith("\uD83D\uDE00");
    }
}

package org.azuremail.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.storage.Storage;
import org.azuremail.storage.embedded.OnEmbedded;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

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
    class Embedded extends OnEmbedded implements EventLogContract {

        Embedded() {
            super(time);
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

package org.azuremail.storage.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks a machine whose clock was hours ahead until an admin or the network corrected it. */
class ClockRollbackTest {

    private static final String QUEUE = "work";
    private static final String BEAT = "beat";
    private static final Duration AHEAD = Duration.ofHours(6);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    private final ManualTime time = new ManualTime();
    private EmbeddedStorage storage;

    @BeforeEach
    void open() {
        storage = EmbeddedStorage.open(directory, time);
        queues().createQueue(QUEUE);
        queues().createQueue(BEAT);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itemsOfADeadHandlerComeAfterTheirTimeAndNotHoursLater(boolean startedAnew) {
        time.shiftWallClock(AHEAD);
        queues().send(QUEUE, "sent ahead", Duration.ZERO);
        queues().send(QUEUE, "delayed", Duration.ofMinutes(30));
        receive();

        correct(startedAnew);

        assertThat(received()).isEmpty();
        time.advance(MINUTE);
        assertThat(received()).containsExactly("sent ahead");
        time.advance(Duration.ofMinutes(28));
        assertThat(received()).containsExactly("sent ahead");
        time.advance(MINUTE);
        assertThat(received()).containsExactlyInAnyOrder("sent ahead", "delayed");
    }

    @Test
    void itemsOfEarlierAreReceivedByTheWrongClockAndComeBack() {
        queues().send(QUEUE, "earlier", Duration.ZERO);
        close();
        time.shiftWallClock(AHEAD);
        open();
        receive();

        correct(true);
        time.advance(MINUTE);

        assertThat(received()).containsExactly("earlier");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCorrectionHappensOnce(boolean startedAnew) {
        time.shiftWallClock(AHEAD);
        write();
        correct(startedAnew);
        queues().send(QUEUE, "in four hours", Duration.ofHours(4));
        for (int start = 0; start < 3; start++) {
            close();
            open();
            write();
        }

        time.advance(Duration.ofHours(4).minus(MINUTE));
        assertThat(received()).isEmpty();
        time.advance(MINUTE);
        assertThat(received()).containsExactly("in four hours");
    }

    @Test
    void itIsNoticedEachTime() {
        for (int day = 0; day < 3; day++) {
            time.shiftWallClock(AHEAD);
            write();
            queues().send(QUEUE, "day " + day, MINUTE);
            correct(day % 2 == 0);
            time.advance(MINUTE);
            assertThat(received()).containsExactly("day " + day);
            time.advance(Duration.ofDays(1));
            receive().forEach(item -> queues().delete(QUEUE, item));
        }
    }

    @Test
    void anItemThatIsHeldStaysHeld() {
        queues().send(QUEUE, "held", Duration.ZERO);
        time.shiftWallClock(AHEAD);
        QueueItem held = receive().get(0);
        correct(false);

        assertThat(received()).isEmpty();
        assertThat(queues().delete(QUEUE, held)).isTrue();
    }

    @Test
    void aClockThatIsAdjustedLittleByLittleMovesNothing() {
        queues().send(QUEUE, "in an hour", Duration.ofHours(1));
        for (int second = 0; second < 600; second++) {
            time.advance(Duration.ofSeconds(1));
            time.shiftWallClock(Duration.ofMillis(-500));
            write();
        }
        time.advance(Duration.ofMinutes(54));
        assertThat(received()).isEmpty();
        time.advance(MINUTE);
        assertThat(received()).containsExactly("in an hour");
    }

    private QueueStore queues() {
        return storage.storage().queues();
    }

    /** Commits a write, as every process does each minute. */
    private void write() {
        queues().send(BEAT, "", Duration.ZERO);
    }

    private void correct(boolean startedAnew) {
        if (startedAnew) {
            close();
        }
        time.shiftWallClock(AHEAD.negated());
        if (startedAnew) {
            open();
        } else {
            write();
        }
    }

    private List<QueueItem> receive() {
        return queues().receive(QUEUE, 10, MINUTE);
    }

    private List<String> received() {
        return receive().stream().map(QueueItem::text).toList();
    }
}

package org.azuremail.eventlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.eventlog.Event.EventLevel;
import org.azuremail.eventlog.EventLog.EventFilter;
import org.azuremail.eventlog.EventRecorder.EventAppender;
import org.azuremail.id.CompactIds;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.storage.simulated.Call;
import org.azuremail.storage.simulated.CallHook;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.junit.jupiter.api.Test;

class EventRecorderTest {

    private final ManualTime time = new ManualTime();
    private final SimulatedStorage storage = new SimulatedStorage(time, 30);
    private final EventLog log =
            new EventLog(storage.storage(), new CompactIds(storage.storage()), time, Duration.ofDays(30));
    private final EventRecorder recorder = new EventRecorder(log, "host/7", time, EventRecorder.MAX_WAITING);

    @Test
    void warningsAndErrorsOfTheProcessAreKeptWithTheirStack() {
        recorder.start();
        LoggerContext context = new LoggerContext();
        EventAppender appender = new EventAppender(recorder, EventLevel.WARNING);
        appender.setContext(context);
        appender.start();
        Logger logger = context.getLogger("org.azuremail.Some");
        logger.addAppender(appender);

        logger.info("fine");
        logger.warn("so so {}", 1);
        logger.error("bad", new IllegalStateException("because"));
        recorder.stop();

        List<EventLog.Entry> kept =
                log.newest(10, EventFilter.atLeast(EventLevel.INFO), null).items();
        assertThat(kept).extracting(event -> event.event().title()).containsExactly("bad", "so so 1");
        assertThat(kept.get(0).event().details()).contains("IllegalStateException: because", "EventRecorderTest");
        assertThat(kept.get(0).event().source()).isEqualTo("org.azuremail.Some");
        assertThat(kept.get(1).event().process()).isEqualTo("host/7");
    }

    @Test
    void anOutageOfTheStorageLosesNothing() {
        recorder.start();
        AtomicInteger refused = new AtomicInteger();
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                refused.incrementAndGet();
                throw new StorageException(Reason.UNAVAILABLE, "out of reach", null);
            }
        });
        recorder.record(EventLevel.ERROR, "a", "during the outage", "");
        await().until(() -> refused.get() > 0);

        storage.hook(CallHook.NONE);

        await().untilAsserted(() -> {
            time.advance(Duration.ofSeconds(10));
            assertThat(log.newest(10, EventFilter.atLeast(EventLevel.INFO), null)
                            .items())
                    .extracting(event -> event.event().title())
                    .containsExactly("during the outage");
        });
        recorder.stop();
    }

    @Test
    void itBeginsAgainAfterAStop() {
        recorder.start();
        recorder.stop();
        recorder.start();
        recorder.record(EventLevel.ERROR, "a", "after the pause", "");
        recorder.stop();

        assertThat(log.newest(10, EventFilter.atLeast(EventLevel.INFO), null).items())
                .extracting(event -> event.event().title())
                .containsExactly("after the pause");
    }

    @Test
    void eventsBeyondTheLimitAreDroppedAndCounted() {
        CountDownLatch reachable = new CountDownLatch(1);
        storage.hook(new CallHook() {
            @Override
            public void before(Call call) {
                Uninterrupted.await(reachable);
            }
        });
        EventRecorder small = new EventRecorder(log, "host/7", time, 20);
        small.start();
        for (int i = 0; i < 30; i++) {
            small.record(EventLevel.WARNING, "a", "flood", "");
        }

        reachable.countDown();

        await().untilAsserted(() -> assertThat(log.newest(1, EventFilter.atLeast(EventLevel.ERROR), null)
                        .items())
                .singleElement()
                .satisfies(last -> assertThat(last.event().title())
                        .matches("(9|10) entries were dropped: more came than could be written")));
        small.stop();
    }

    /** A latch that can be awaited without interruption. */
    private static final class Uninterrupted {

        static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}

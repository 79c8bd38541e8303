package org.azuremail.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checks that programs which ask every few seconds keep no process awake, and soon get to know about waiting items. */
class MonitoringTest extends OnOperations {

    private static final Duration SCRAPE = Duration.ofSeconds(15);

    private Monitoring monitoring;

    @BeforeEach
    void nothingWaits() {
        storage.queues().createQueue(QUEUE);
        monitoring = new Monitoring(operations, time);
        monitoring.overview();
    }

    private long callsWithin(Duration duration) {
        long before = calls();
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(SCRAPE)) {
            time.advance(SCRAPE);
            monitoring.overview();
        }
        return calls() - before;
    }

    private long waiting() {
        return monitoring.overview().orElseThrow().queues().stream()
                .filter(queue -> queue.name().equals(QUEUE))
                .mapToLong(Overview.Queue::waiting)
                .sum();
    }

    @Test
    void k21_anIdleHourOfScrapesCostsTwelveCallsAndALook() {
        callsWithin(Duration.ofHours(1));

        long calls = callsWithin(Duration.ofHours(1));

        assertThat(calls).isEqualTo(12 + operations.overview().ownCalls());
    }

    @Test
    void k21_whileItemsWaitALookAMinuteIsAllThatScrapesCost() {
        send(3);
        callsWithin(Duration.ofMinutes(5));
        assertThat(waiting()).isEqualTo(3);
        long look = operations.overview().ownCalls() + 1;

        assertThat(callsWithin(Duration.ofMinutes(10))).isEqualTo(10 * look);
    }

    @Test
    void anItemThatAnotherProcessSentIsSeenWithinTwoHeartbeats() {
        Instances other = instance(7, "calls/queue/azuremailqueue/send", "0 0");
        callsWithin(Duration.ofMinutes(20));
        embedded.storage().queues().send(QUEUE, "unseen by this process");
        assertThat(waiting()).isZero();

        other.deregister();
        instance(8, "calls/queue/azuremailqueue/send", "1 1");
        callsWithin(Instances.HEARTBEAT);

        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    void itemsThatNoSignalTellsOfAreSeenWithinAnHour() {
        embedded.storage().queues().send(QUEUE, "of a process that died at once");

        callsWithin(Duration.ofMinutes(50));
        assertThat(waiting()).isZero();
        callsWithin(Duration.ofMinutes(15));

        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    void whileTheStorageIsAwayItTellsWhatItSawLast() {
        send(2);
        callsWithin(Duration.ofMinutes(5));
        assertThat(waiting()).isEqualTo(2);
        Overview seen = monitoring.overview().orElseThrow();
        embedded.close();

        time.advance(Duration.ofMinutes(2));

        assertThat(monitoring.overview()).contains(seen);
    }

    @Test
    void emptyPollsAreNoMovement() {
        ProcessReport idle = ProcessReport.read(Map.of("work/q/empty", "5 5", "calls/queue/q/receive", "5 5"));
        assertThat(idle.movements()).isEmpty();
        ProcessReport busy = ProcessReport.read(
                Map.of("work/q/finished", "1 2", "work/q/failed", "0 1", "calls/queue/q/send", "1 4"));
        assertThat(busy.movements().values()).containsExactlyInAnyOrderElementsOf(List.of(2L, 1L, 4L));
    }

    private Instances instance(long seed, String fact, String count) {
        Instances other =
                new Instances(storage, time, new SeededIds(seed)::token, () -> Stream.of(() -> Map.of(fact, count)));
        other.register(new Registration("other", Set.of("web"), Set.of(), Set.of(), ""));
        other.heartbeat();
        return other;
    }
}

package org.azuremail.work.run;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The work of this process on each queue whose items it handles, since its start. Counts only grow. Safe for use from
 * many threads; the counts of a snapshot may be from slightly different moments.
 */
public final class Workload {

    private final Map<String, Counters> queues = new ConcurrentHashMap<>();
    private final Map<List<String>, Integer> pools = new ConcurrentHashMap<>();

    /**
     * The work for one queue.
     *
     * @param places how many items may be handled at the same time; queues of one pool share them
     * @param receives the calls that asked for items
     * @param emptyReceives the calls among them that returned no items
     * @param finished the items that will not be delivered again: done, discarded or turned into dead letters
     * @param retried the deliveries after which the item is delivered again although it did not fail
     * @param failed the deliveries that ended with a failure, after which the item is delivered again
     * @param dead the items that became dead letters
     * @param took how long handlers worked, all deliveries together
     * @param begun the items whose work began for the first time
     * @param late the items among them that had waited for longer than their target
     * @param starved the items that were taken only because their queue had aged
     * @param waits how many items had waited for how long when their work began, by the steps of {@link WaitHistogram}
     */
    public record QueueCounts(
            int places,
            long receives,
            long emptyReceives,
            long finished,
            long retried,
            long failed,
            long dead,
            Duration took,
            long begun,
            long late,
            long starved,
            Map<Integer, Long> waits) {}

    /** Returns the work by queue, including queues on which no work was done yet. */
    public Map<String, QueueCounts> snapshot() {
        Map<String, QueueCounts> all = new TreeMap<>();
        queues.forEach((queue, counters) -> all.put(queue, counters.snapshot()));
        return all;
    }

    /** Returns the average time of handlers per finished item of the queue, or {@code null} while none is finished. */
    @Nullable
    Duration average(String queue) {
        Counters counters = of(queue);
        long finished = counters.finished.sum();
        return finished == 0 ? null : Duration.ofNanos(counters.nanos.sum() / finished);
    }

    /** Returns how many items of all queues together may be handled at the same time. */
    public int capacity() {
        return pools.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Reports how many items of these queues together are handled at the same time. */
    void pool(List<String> sharing, int places) {
        pools.put(sharing, places);
        sharing.forEach(queue -> of(queue).places = places);
    }

    void received(String queue, int items) {
        Counters counters = of(queue);
        counters.receives.increment();
        if (items == 0) {
            counters.emptyReceives.increment();
        }
    }

    void begun(String queue, Duration waited, boolean late) {
        Counters counters = of(queue);
        counters.begun.increment();
        counters.waits.add(waited);
        if (late) {
            counters.late.increment();
        }
    }

    void starved(String queue) {
        of(queue).starved.increment();
    }

    void handled(String queue, ItemHandling.Outcome outcome, Duration took) {
        Counters counters = of(queue);
        counters.nanos.add(took.toNanos());
        counters.counterOf(outcome).increment();
        if (outcome == ItemHandling.Outcome.DEAD) {
            counters.dead.increment();
        }
    }

    private Counters of(String queue) {
        return queues.computeIfAbsent(queue, unknown -> new Counters());
    }

    private static final class Counters {

        private final LongAdder receives = new LongAdder();
        private final LongAdder emptyReceives = new LongAdder();
        private final LongAdder finished = new LongAdder();
        private final LongAdder retried = new LongAdder();
        private final LongAdder failed = new LongAdder();
        private final LongAdder dead = new LongAdder();
        private final LongAdder nanos = new LongAdder();
        private final LongAdder begun = new LongAdder();
        private final LongAdder late = new LongAdder();
        private final LongAdder starved = new LongAdder();
        private final WaitHistogram waits = new WaitHistogram();
        private volatile int places;

        LongAdder counterOf(ItemHandling.Outcome outcome) {
            return switch (outcome) {
                case DONE, DISCARDED, DEAD -> finished;
                case RETRIED -> retried;
                case FAILED -> failed;
            };
        }

        QueueCounts snapshot() {
            return new QueueCounts(
                    places,
                    receives.sum(),
                    emptyReceives.sum(),
                    finished.sum(),
                    retried.sum(),
                    failed.sum(),
                    dead.sum(),
                    Duration.ofNanos(nanos.sum()),
                    begun.sum(),
                    late.sum(),
                    starved.sum(),
                    waits.counts());
        }
    }
}

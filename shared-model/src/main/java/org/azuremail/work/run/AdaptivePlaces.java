package org.azuremail.work.run;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.azuremail.storage.StorageException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides how many items a pool handles at the same time, between two bounds. Once the time that an item takes is
 * known, the number is chosen so that the waiting work is done in time. Until then it doubles when a poll fills all
 * free places. It is halved whenever a poll finds nothing. Any thread may read the number; one thread changes it.
 */
final class AdaptivePlaces {

    private static final Duration COUNT_INTERVAL = Duration.ofMinutes(1);
    private static final Logger LOG = LoggerFactory.getLogger(AdaptivePlaces.class);

    private final WorkRuntime runtime;
    private final List<String> queues;
    private final int min;
    private final int max;
    private volatile int now;
    private @Nullable Duration countedElapsed;

    /** @param queues the queues that share the places, by the product's names */
    AdaptivePlaces(WorkRuntime runtime, List<String> queues, int min, int max) {
        this.runtime = runtime;
        this.queues = queues;
        this.min = min;
        this.max = Math.max(min, max);
        resize(min);
    }

    int now() {
        return now;
    }

    private void resize(int wanted) {
        now = Math.max(min, Math.min(max, wanted));
        runtime.metrics().workload().pool(queues, now);
    }

    void foundEmpty() {
        resize(now / 2);
    }

    /** Returns whether items are to be counted. This costs a call for each queue, so it is done once a minute. */
    boolean countingIsDue() {
        Duration elapsed = runtime.time().elapsed();
        return min != max
                && (countedElapsed == null || elapsed.minus(countedElapsed).compareTo(COUNT_INTERVAL) >= 0);
    }

    /**
     * Adapts the number after items were taken. If counting fails, no exception is thrown, because the items must still
     * be handled: no other process sees them.
     *
     * @param filled whether there may be more items
     * @param sources all existing sources
     */
    void adapt(boolean filled, List<QueueSource> sources) {
        List<QueueSource> known =
                sources.stream().filter(source -> average(source) != null).toList();
        if (!known.isEmpty()) {
            countedElapsed = runtime.time().elapsed();
            resizeToWorkload(known);
        } else if (filled) {
            resize(now * 2);
        }
    }

    private void resizeToWorkload(List<QueueSource> known) {
        Duration work = Duration.ZERO;
        try {
            for (QueueSource source : known) {
                long own = runtime.storage().queues().approximateCount(source.queue())
                        / runtime.tuning().processes(source.service());
                work = work.plus(Objects.requireNonNull(average(source)).multipliedBy(own));
            }
            double wanted = Math.ceil(
                    (double) work.toMillis() / runtime.tuning().drainWithin().toMillis());
            resize((int) Math.min(max, wanted));
        } catch (StorageException outOfReach) {
            LOG.debug("nobody knows how much waits", outOfReach);
        }
    }

    private @Nullable Duration average(QueueSource source) {
        return runtime.metrics().workload().average(source.service().queue());
    }
}

package org.azuremail.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.time.Durations;
import org.azuremail.work.queue.WorkQueues;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of queues without taking items. For each partition this costs one call if it is empty, and two
 * otherwise, no matter how many items wait.
 */
record QueueProbe(QueueStore queues, WorkQueues work) {

    private static final QueueState NOTHING = new QueueState(0, null, 0, 0);

    /**
     * The state of a queue.
     *
     * @param waiting the approximate number of items that are not done
     * @param oldest the age of the oldest visible item among the first ones; {@code null} if none is visible
     * @param deliveries the most deliveries of one of these items
     * @param calls the number of storage calls that reading it took
     */
    record QueueState(long waiting, @Nullable Duration oldest, int deliveries, int calls) {

        QueueState plus(QueueState other) {
            return new QueueState(
                    waiting + other.waiting,
                    older(oldest, other.oldest),
                    Math.max(deliveries, other.deliveries),
                    calls + other.calls);
        }

        static @Nullable Duration older(@Nullable Duration one, @Nullable Duration other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return Durations.max(one, other);
        }
    }

    QueueState sample(String queue, Instant now) {
        QueueState all = NOTHING;
        for (String partition : work.partitions().toRead(queue)) {
            all = all.plus(samplePartition(partition, now));
        }
        return all;
    }

    private QueueState samplePartition(String partition, Instant now) {
        long waiting = work.approximateCount(partition);
        List<QueueItem> first = waiting > 0 ? queues.peek(partition, QueueStore.MAX_RECEIVE) : List.of();
        return new QueueState(
                waiting,
                oldest(first, now),
                first.stream().mapToInt(QueueItem::dequeueCount).max().orElse(0),
                waiting > 0 ? 2 : 1);
    }

    /** Returns the age of the oldest item, or zero if the storage's clock is ahead of ours. */
    private static @Nullable Duration oldest(List<QueueItem> items, Instant now) {
        return items.stream()
                .map(QueueItem::insertedAt)
                .min(Instant::compareTo)
                .map(since -> since.isBefore(now) ? Duration.between(since, now) : Duration.ZERO)
                .orElse(null);
    }
}

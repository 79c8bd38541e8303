package org.azuremail.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;
import org.azuremail.work.queue.WorkQueues;
import org.jspecify.annotations.Nullable;

/** Looks at queues from outside: for each partition one call if it is empty, two otherwise, whatever waits there. */
record QueueWatch(QueueStore queues, WorkQueues work) {

    private static final Seen NOTHING = new Seen(0, null, 0, 0);

    /**
     * The state of a queue.
     *
     * @param waiting items that are not done, approximately
     * @param oldest age of the oldest that is visible and among the first; {@code null} when none is
     * @param deliveries how often one of these was delivered, at most
     * @param calls that it took to look
     */
    record Seen(long waiting, @Nullable Duration oldest, int deliveries, int calls) {

        Seen plus(Seen other) {
            return new Seen(
                    waiting + other.waiting,
                    older(oldest, other.oldest),
                    Math.max(deliveries, other.deliveries),
                    calls + other.calls);
        }

        static @Nullable Duration older(@Nullable Duration one, @Nullable Duration other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return one.compareTo(other) > 0 ? one : other;
        }
    }

    Seen look(String queue, Instant now) {
        Seen all = NOTHING;
        for (String partition : work.partitionsOf(queue)) {
            all = all.plus(lookAt(partition, now));
        }
        return all;
    }

    private Seen lookAt(String partition, Instant now) {
        long waiting = work.approximateCount(partition);
        List<QueueItem> first = waiting > 0 ? queues.peek(partition, QueueStore.MAX_RECEIVE) : List.of();
        return new Seen(
                waiting,
                oldest(first, now),
                first.stream().mapToInt(QueueItem::dequeueCount).max().orElse(0),
                waiting > 0 ? 2 : 1);
    }

    /** The storage's clock may be ahead of ours. */
    private static @Nullable Duration oldest(List<QueueItem> items, Instant now) {
        return items.stream()
                .map(QueueItem::insertedAt)
                .min(Instant::compareTo)
                .map(since -> since.isBefore(now) ? Duration.between(since, now) : Duration.ZERO)
                .orElse(null);
    }
}

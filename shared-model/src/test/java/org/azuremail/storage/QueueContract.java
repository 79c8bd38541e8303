package org.azuremail.storage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The queue store under test in the parts of the queue contract. */
interface QueueContract {

    /** A duration that is longer than any test. */
    Duration LONG = Duration.ofMinutes(10);

    /** A duration that is short enough to wait for if time cannot be driven. */
    Duration SHORT = Duration.ofSeconds(2);

    /** Returns the store under test, the same one throughout a test. */
    QueueStore queues();

    /** Waits until this time has passed on the store's clock. */
    void letPass(Duration duration);

    /** Creates a new queue. */
    default String newQueue() {
        String queue = FreshNames.next();
        queues().createQueue(queue);
        return queue;
    }

    /** Receives the only visible item. */
    default QueueItem receiveOne(String queue, Duration visibility) {
        List<QueueItem> items = queues().receive(queue, QueueStore.MAX_RECEIVE, visibility);
        if (items.size() != 1) {
            throw new AssertionError("one item was to be there: " + items);
        }
        return items.get(0);
    }

    /** Receives all visible items. */
    default List<QueueItem> drain(String queue) {
        List<QueueItem> all = new ArrayList<>();
        List<QueueItem> some;
        do {
            some = queues().receive(queue, QueueStore.MAX_RECEIVE, LONG);
            all.addAll(some);
        } while (!some.isEmpty());
        return all;
    }
}

package org.azuremail.storage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The queue store that the parts of the queue contract test. */
interface QueueContract {

    /** Longer than any test. */
    Duration LONG = Duration.ofMinutes(10);

    /** Short enough to wait for, where time cannot be driven. */
    Duration SHORT = Duration.ofSeconds(2);

    /** The store under test; the same one throughout a test. */
    QueueStore queues();

    /** Lets so much time pass on the store's clock before it returns. */
    void letPass(Duration duration);

    /** A queue of its own for each call. */
    default String newQueue() {
        String queue = FreshNames.next();
        queues().createQueue(queue);
        return queue;
    }

    /** The only visible item. */
    default QueueItem receiveOne(String queue, Duration visibility) {
        List<QueueItem> items = queues().receive(queue, QueueStore.MAX_RECEIVE, visibility);
        if (items.size() != 1) {
            throw new AssertionError("one item was to be there: " + items);
        }
        return items.get(0);
    }

    /** Receives until nothing is visible. */
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

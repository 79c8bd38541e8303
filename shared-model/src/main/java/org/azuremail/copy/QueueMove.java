package org.azuremail.copy;

import java.time.Duration;
import java.util.List;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.QueueStore;

/** Moves items one by one: each is in the target before it leaves the source, so it may come twice and is never lost. */
record QueueMove(QueueStore source, QueueStore target) {

    private static final Duration HIDDEN = Duration.ofMinutes(1);

    /**
     * Moves all that can be seen.
     *
     * @return how many are left because they are hidden for a while; approximate
     */
    long move(String queue) {
        List<QueueItem> items = source.receive(queue, QueueStore.MAX_RECEIVE, HIDDEN);
        while (!items.isEmpty()) {
            items.forEach(item -> move(queue, item));
            items = source.receive(queue, QueueStore.MAX_RECEIVE, HIDDEN);
        }
        return source.approximateCount(queue);
    }

    private void move(String queue, QueueItem item) {
        target.send(queue, item.text());
        source.delete(queue, item);
    }
}

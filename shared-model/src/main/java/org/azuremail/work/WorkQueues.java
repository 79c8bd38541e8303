package org.azuremail.work;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.storage.QueueStore;

/**
 * Puts work on queues. The queue comes from the item's class, by its {@link ItemType}; it is made when it does not exist.
 * A consumer is told only after the item is stored. Safe for use from many threads.
 *
 * <p>After a {@link org.azuremail.storage.StorageException} nobody knows whether the item is there; put it again, since
 * handlers are idempotent.
 */
public final class WorkQueues {

    private final QueueStore queues;
    private final ItemTypes types;
    private final Signals signals;
    private final Set<String> made = ConcurrentHashMap.newKeySet();

    WorkQueues(QueueStore queues, ItemTypes types, Signals signals) {
        this.queues = queues;
        this.types = types;
        this.signals = signals;
    }

    /** With item types that are known beforehand; nobody is told of new work. */
    public static WorkQueues of(QueueStore queues, ItemType<?>... types) {
        return new WorkQueues(queues, new ItemTypes(() -> java.util.List.of(types)), Signals.NONE);
    }

    /** Stores an item, durably; a consumer sees it at once. */
    public <T> void put(T item) {
        put(item, Duration.ZERO);
    }

    /**
     * Stores an item, durably; consumers see it after the delay, at most {@link QueueStore#MAX_VISIBILITY}.
     *
     * @throws IllegalArgumentException when the item's class has no {@link ItemType} or its text is too large
     */
    public <T> void put(T item, Duration delay) {
        ItemType<T> type = types.of(item);
        putText(type.queue(), type.write(item), delay);
    }

    void putText(String queue, String text, Duration delay) {
        if (!made.contains(queue)) {
            queues.createQueue(queue);
            made.add(queue);
        }
        queues.send(queue, text, delay);
        if (delay.isZero()) {
            signals.workWaits(queue);
        }
    }
}

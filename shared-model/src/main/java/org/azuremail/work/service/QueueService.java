package org.azuremail.work.service;

import java.time.Duration;
import org.azuremail.work.queue.ItemType;

/**
 * A service that handles the items of one queue. Items are delivered at least once, in any order, and after a lost
 * answer possibly twice at the same time. Handlers must therefore be idempotent, and do last what cannot be repeated.
 * While a handler runs, its item stays invisible to others. A service only has to be declared as a bean: the runtime
 * finds it, creates its queue and runs it.
 *
 * @param <T> the type of the items
 */
public interface QueueService<T> {

    /** Returns the item type, which defines the queue and the text of the items. */
    ItemType<T> itemType();

    /** Returns the product's name of the queue, which does not depend on partitions. */
    default String queue() {
        return itemType().queue();
    }

    /**
     * Handles an item, on any thread, at the same time as others. If this throws, one failure is counted, and the item
     * is delivered again after a growing delay. No failure is counted if the storage is out of reach or lacks something
     * ({@link org.azuremail.storage.StorageException#postponesWork()}), or if the process is stopping.
     *
     * @return the result for the item
     */
    WorkResult handle(T item, Delivery delivery) throws Exception;

    /** Returns the time for which an item stays invisible without renewal. It is renewed after a third of that. */
    default Duration visibility() {
        return Duration.ofSeconds(60);
    }

    /**
     * Returns the number of items handled at the same time in one process. The setting {@code
     * azuremail.work.concurrency} takes precedence.
     */
    default int concurrency() {
        return 4;
    }

    /**
     * Returns whether an item becomes a dead letter after five failures. A service that counts failures itself returns
     * false: its items are delivered again without limit, after a bounded delay, and nothing is written when a handler
     * throws.
     */
    default boolean deadLetters() {
        return true;
    }

    /**
     * Returns the name of the service's pool. Services of one process with the same pool share its places: as many as
     * their {@link #concurrency} together, but at most {@link #mostInPool}. A flood in one queue takes the places that
     * the others leave free. The others still get their turns, more often the higher their {@link #priority}. By
     * default each service has a pool of its own, whose places no other service can take.
     */
    default String pool() {
        return queue();
    }

    /**
     * Returns the largest useful number of items of the whole pool at the same time, whatever its services add up to.
     */
    default int mostInPool() {
        return Integer.MAX_VALUE;
    }

    /**
     * Returns the most items handled at the same time while many wait. It equals {@link #concurrency} if the number is
     * fixed.
     */
    default int mostConcurrency() {
        return concurrency();
    }

    /**
     * Returns the rank in the strict order of services that share places; the lowest is first. Other services get items
     * only if those before them have none, or if they have waited for their {@link #ageing}.
     */
    default int rank() {
        return 0;
    }

    /** Returns the longest time that its items wait while services of a lower rank in its pool always have items. */
    default Duration ageing() {
        return Duration.ofMinutes(5);
    }

    /**
     * Returns the weight with which its queue is polled among those of its pool. It is more than 0, and asked each
     * time.
     */
    default double priority() {
        return 1;
    }

    /**
     * Returns the time from now for which no items are to be taken because the service is outside its hours; zero if it
     * is open. Asked each time.
     */
    default Duration closedFor() {
        return Duration.ZERO;
    }

    /** Returns the time after its queueing within which an item should be begun; zero if there is no target. */
    default Duration target() {
        return Duration.ZERO;
    }

    /**
     * Returns whether an idle queue is polled rarely even if no signal came. This is not needed if items that no
     * consumer took are queued again, with a signal each time: such a queue costs nothing while it is idle.
     */
    default boolean safetyPolled() {
        return true;
    }

    /**
     * Returns whether the items belong to messages that are being sent. While any message is active, the queue is
     * polled every few seconds even without a signal, so that work of a dead process is continued soon.
     */
    default boolean followsMessages() {
        return false;
    }
}

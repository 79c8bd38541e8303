package org.azuremail.work.service;

import java.time.Duration;
import org.azuremail.work.queue.ItemType;

/**
 * Handles the items of one queue. Items come at least once, in any order, possibly twice at the same time after a lost
 * answer: handlers are idempotent and do what cannot be repeated last. While a handler runs, its item stays invisible to
 * others. A bean of this type is all it takes: the runtime finds it, makes its queue and runs it.
 *
 * @param <T> what an item says
 */
public interface QueueService<T> {

    /** The queue and the items' text. */
    ItemType<T> itemType();

    /**
     * Does the work, on any thread, for several items at a time. A throw counts one failure and the item comes again after
     * a growing delay; a storage that is out of reach or lacks something ({@link
     * org.azuremail.storage.StorageException#makesWorkWait()}) and a throw while the process stops count nothing.
     *
     * @return the fate of the item
     */
    WorkResult handle(T item, Delivery delivery) throws Exception;

    /** The time for which an item stays invisible without renewal; it is renewed at a third of that. */
    default Duration visibility() {
        return Duration.ofSeconds(60);
    }

    /** The number of items handled at the same time in one process; the setting {@code azuremail.work.concurrency} wins. */
    default int concurrency() {
        return 4;
    }

    /**
     * Returns whether an item becomes a dead letter after five failures. A service that keeps its own account of
     * failures says no: its items come again for ever, after a bounded delay, and nothing is written for a throw.
     */
    default boolean deadLetters() {
        return true;
    }

    /**
     * Services of one process that name the same pool share its places, as many as their {@link #concurrency} together, but at
     * most {@link #mostInPool}:
     * a flood in one queue takes what the others leave free, and these still get their turns, the more often the higher
     * their {@link #priority}. By default each service has a pool of its own, and no other can take its places.
     */
    default String pool() {
        return itemType().queue();
    }

    /** The largest number of items of its whole pool that make sense at the same time, whatever its services add up to. */
    default int mostInPool() {
        return Integer.MAX_VALUE;
    }

    /** The most items at the same time while many wait; the same as {@link #concurrency} if the number is fixed. */
    default int mostConcurrency() {
        return concurrency();
    }

    /**
     * The strict order of services that share places: the lowest rank is first. Other services get items only when those
     * before them have none, or when they have waited for their {@link #ageing}.
     */
    default int rank() {
        return 0;
    }

    /** The longest time that its items wait while services of a lower rank in its pool have items without end. */
    default Duration ageing() {
        return Duration.ofMinutes(5);
    }

    /** The weight with which its queue is looked at among those of its pool; more than 0, and asked each time. */
    default double priority() {
        return 1;
    }

    /** The time for which nothing is to be taken from now on, by the hours of the service; zero for always. Asked each time. */
    default Duration closedFor() {
        return Duration.ZERO;
    }

    /** Within what time of its queueing an item should be begun; zero where nobody says. */
    default Duration target() {
        return Duration.ZERO;
    }

    /**
     * Returns whether an idle queue is looked at rarely although no signal came. Not needed where somebody puts items again
     * that nobody took, with a signal each time: such a queue costs nothing while it is idle.
     */
    default boolean safetyPolled() {
        return true;
    }

    /**
     * Returns whether the items belong to messages that go out: while any message is active the queue is looked at every few
     * seconds without a signal too, so that what a dead process held goes on soon.
     */
    default boolean followsMessages() {
        return false;
    }
}

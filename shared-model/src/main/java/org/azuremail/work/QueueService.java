package org.azuremail.work;

import java.time.Duration;

/**
 * Handles the items of one queue. Items come at least once, in any order, possibly twice at the same time after a lost
 * answer: handlers are idempotent and do what cannot be repeated last. While a handler runs, its item stays invisible to
 * others.
 *
 * @param <T> what an item says
 */
public interface QueueService<T> {

    /** The queue; it is made when it does not exist. */
    String queue();

    /** The class of {@code T}: producers name the queue by it. */
    Class<T> itemType();

    /** The item's text on the queue. */
    String write(T item);

    /**
     * Reads an item's text.
     *
     * @throws IllegalArgumentException when it cannot be read; the item then becomes a dead letter
     */
    T read(String text);

    /** Does the work. After five throws the item becomes a dead letter. */
    WorkResult handle(T item, Delivery delivery) throws Exception;

    /** How long an item stays invisible without renewal; it is renewed at a third of that. */
    default Duration visibility() {
        return Duration.ofSeconds(60);
    }

    /** How many items are handled at the same time in one process. */
    default int concurrency() {
        return 4;
    }
}

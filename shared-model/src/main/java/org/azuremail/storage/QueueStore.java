package org.azuremail.storage;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Queues with Azure's semantics: at least once, in no order, each delivery invisible to others for a while. Items never
 * expire. Safe for use from many threads and processes. Every call may throw a {@link StorageException}; after a lost
 * answer a sent item may be there twice.
 */
public interface QueueStore {

    /** The largest item, in bytes of UTF-8: in Base64 it has 64 KiB. */
    int MAX_TEXT_BYTES = 48 * 1024;

    int MAX_RECEIVE = 32;

    /** The longest visibility time-out and delay. */
    Duration MAX_VISIBILITY = Duration.ofDays(7);

    /**
     * Creates a queue unless it exists.
     *
     * @param queue 3 to 63 lower-case letters, digits and single dashes, beginning and ending with a letter or digit
     */
    void createQueue(String queue);

    /**
     * Puts an item on a queue, durably.
     *
     * @param delay how long it is hidden, zero to {@link #MAX_VISIBILITY}
     * @throws IllegalArgumentException when the text is larger than {@link #MAX_TEXT_BYTES}
     */
    void send(String queue, String text, Duration delay);

    /**
     * Puts items on a queue, durably and visible at once; in one call, if the storage can. When this throws, some of them may be
     * there.
     *
     * @throws IllegalArgumentException when a text is larger than {@link #MAX_TEXT_BYTES}; then none of them is there
     */
    default void sendAll(String queue, List<String> texts) {
        texts.forEach(text -> send(queue, text));
    }

    /**
     * Takes visible items and hides them.
     *
     * @param max 1 to {@link #MAX_RECEIVE}
     * @param visibility how long they are hidden from others, one second to {@link #MAX_VISIBILITY}
     */
    List<QueueItem> receive(String queue, int max, Duration visibility);

    /**
     * Hides a received item for longer, or shows it again at once with {@link Duration#ZERO}.
     *
     * @return the item with its new receipt; empty when the receipt is dead or the item is deleted: another consumer has it
     */
    Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility);

    /**
     * Deletes a received item.
     *
     * @return false when the receipt is dead or the item is deleted
     */
    boolean delete(String queue, QueueItem item);

    /**
     * Reads some visible items without taking them; their receipts are empty.
     *
     * @param max 1 to {@link #MAX_RECEIVE}
     */
    List<QueueItem> peek(String queue, int max);

    /** Returns the number of items, hidden ones included; approximate. */
    long approximateCount(String queue);

    /** Puts an item on a queue, visible at once. */
    default void send(String queue, String text) {
        send(queue, text, Duration.ZERO);
    }
}

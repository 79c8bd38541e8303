package org.azuremail.storage;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Queues with the semantics of Azure Storage: items are delivered at least once and in no particular order, and each
 * delivery hides the item from other consumers for a while. Items never expire. Safe for use by many threads and
 * processes. Every call may throw a {@link StorageException}. If the answer to a send is lost, the queue may contain
 * the item twice.
 */
public interface QueueStore {

    /** The largest item, in bytes of UTF-8. In Base64, it takes 64 KiB. */
    int MAX_TEXT_BYTES = 48 * 1024;

    int MAX_RECEIVE = 32;

    /** The longest visibility time-out and the longest delay. */
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
     * @param delay the time for which the item is hidden, zero to {@link #MAX_VISIBILITY}
     * @throws IllegalArgumentException if the text is larger than {@link #MAX_TEXT_BYTES}
     */
    void send(String queue, String text, Duration delay);

    /**
     * Puts items on a queue, durably and visible at once. Uses one call if the storage can. If this method throws, some
     * of the items may be on the queue.
     *
     * @throws IllegalArgumentException if a text is larger than {@link #MAX_TEXT_BYTES}; no item is on the queue then
     */
    default void sendAll(String queue, List<String> texts) {
        texts.forEach(text -> send(queue, text));
    }

    /**
     * Receives visible items and hides them.
     *
     * @param max the most items, 1 to {@link #MAX_RECEIVE}
     * @param visibility the time for which the items are hidden from others, one second to {@link #MAX_VISIBILITY}
     */
    List<QueueItem> receive(String queue, int max, Duration visibility);

    /**
     * Hides a received item for longer. {@link Duration#ZERO} makes it visible again at once.
     *
     * @return the item with its new receipt; empty if the receipt is invalid, because another consumer has the item, or
     *     if the item is deleted
     */
    Optional<QueueItem> renew(String queue, QueueItem item, Duration visibility);

    /**
     * Deletes a received item.
     *
     * @return false if the receipt is invalid or the item is already deleted
     */
    boolean delete(String queue, QueueItem item);

    /**
     * Returns some visible items without receiving them. Their receipts are empty.
     *
     * @param max the most items, 1 to {@link #MAX_RECEIVE}
     */
    List<QueueItem> peek(String queue, int max);

    /** Returns the approximate number of items, including hidden ones. */
    long approximateCount(String queue);

    /** Puts an item on a queue, visible at once. */
    default void send(String queue, String text) {
        send(queue, text, Duration.ZERO);
    }
}

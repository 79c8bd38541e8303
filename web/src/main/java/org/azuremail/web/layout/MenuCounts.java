package org.azuremail.web.layout;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.azuremail.work.queue.DeadLetters;
import org.springframework.stereotype.Component;

/**
 * The numbers in the menu: drafts and dead letters. They are read only when a menu is shown, at most once in five
 * seconds for all pages, in two calls of a hundred rows at most. While the storage is out of reach, none are shown.
 */
@Component
final class MenuCounts {

    static final Duration CACHE_TTL = Duration.ofSeconds(5);

    /** The highest number that is shown; one more row is read to learn whether there are more. */
    private static final int MAX_SHOWN = 99;

    private final MessageStore messages;
    private final DeadLetters letters;
    private final Time time;
    private final ReentrantLock reading = new ReentrantLock();
    private volatile Seen seen = new Seen(Map.of(), Duration.ZERO);

    private record Seen(Map<String, Integer> counts, Duration untilElapsed) {}

    MenuCounts(MessageStore messages, DeadLetters letters, Time time) {
        this.messages = messages;
        this.letters = letters;
        this.time = time;
    }

    /** Returns the number at an entry, or 100 if there are more; 0 if the entry has none or it is not known. */
    public int of(String entry) {
        if (seen.untilElapsed().compareTo(time.elapsed()) <= 0 && reading.tryLock()) {
            try {
                seen = new Seen(read(), time.elapsed().plus(CACHE_TTL));
            } finally {
                reading.unlock();
            }
        }
        return seen.counts().getOrDefault(entry, 0);
    }

    private Map<String, Integer> read() {
        try {
            return Map.of(
                    "messages", messages.countDrafts(MAX_SHOWN + 1), "dead-letters", letters.count(MAX_SHOWN + 1));
        } catch (StorageException outOfReach) {
            return Map.of();
        }
    }
}

package org.azuremail.work.run;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.azuremail.time.Time;

/**
 * Limits how many items a second are taken from each queue of the storage. All items of a second may be taken at once.
 * A queue that is not polled accumulates nothing for later. Not thread-safe.
 */
final class QueueLimit {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Time time;
    private final Map<String, Second> seconds = new HashMap<>();

    QueueLimit(Time time) {
        this.time = time;
    }

    private static final class Second {
        private long began;
        private int taken;
    }

    /** Returns how many items may be taken now, at most {@code max}. */
    int free(String queue, int perSecond, int max) {
        if (perSecond == Integer.MAX_VALUE) {
            return max;
        }
        Second second = seconds.computeIfAbsent(queue, unseen -> new Second());
        long now = time.elapsed().toNanos();
        if (second.taken == 0 || now - second.began >= SECOND) {
            second.began = now;
            second.taken = 0;
        }
        return Math.min(max, Math.max(0, perSecond - second.taken));
    }

    void took(String queue, int items) {
        Second second = seconds.get(queue);
        if (second != null) {
            second.taken += items;
        }
    }

    /**
     * Returns the time until items may be taken again: the rest of the queue's second, or of the wall clock's second if
     * the limit of this process is 0 in this second.
     */
    Duration untilFree(String queue) {
        Second second = seconds.get(queue);
        long left = second == null || second.taken == 0
                ? SECOND - Math.floorMod(time.instant().toEpochMilli(), 1000L) * 1_000_000
                : second.began + SECOND - time.elapsed().toNanos();
        return Duration.ofNanos(Math.max(1_000_000, left));
    }
}

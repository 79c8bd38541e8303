package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.delivery.range.RangeKey;

/**
 * The order in which the ranges that wait for the limit of one list look again: one at a time, as fast as the limit lets their lots
 * through, because a look that finds it reached costs storage calls and a place. A range that is far behind looks earlier than its
 * turn, but ever more seldom, and moves up if others are gone. Each process has turns of its own. Safe for use from many threads.
 */
final class Turns {

    private static final Duration FAR_BEHIND = Duration.ofMinutes(10);

    /** The scheduler queues a range that is due within a minute; one that is later by so much was paused, cancelled or mailed elsewhere. */
    private static final Duration MISSED = Duration.ofMinutes(3);

    private final Map<RangeKey, Turn> turns = new HashMap<>();

    private record Turn(Instant at, Instant looksAt) {}

    /**
     * Gives the range the first turn that nobody has.
     *
     * @param free the time at which the limit lets its lot through, if nobody is before it
     * @param length the time that the limit takes for its lot
     * @return the time at which it looks again
     */
    synchronized Instant next(RangeKey range, Instant now, Instant free, Duration length) {
        turns.remove(range);
        turns.values().removeIf(turn -> turn.looksAt().plus(MISSED).isBefore(now));
        Instant at = firstGap(free, length);
        Duration wait = Duration.between(now, at);
        Instant looksAt = wait.compareTo(FAR_BEHIND) <= 0 ? at : now.plus(longer(FAR_BEHIND, wait.dividedBy(2)));
        turns.put(range, new Turn(at, looksAt));
        return looksAt;
    }

    private Instant firstGap(Instant free, Duration length) {
        List<Instant> taken = turns.values().stream().map(Turn::at).sorted().toList();
        Instant at = free;
        for (Instant other : taken) {
            if (!other.isBefore(at.plus(length))) {
                return at;
            }
            Instant behind = other.plus(length);
            at = behind.isAfter(at) ? behind : at;
        }
        return at;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}

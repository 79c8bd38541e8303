package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.time.Durations;

/**
 * The order in which ranges that wait for the limit of one list try again. They try one at a time, as fast as the limit
 * lets their lots through, because a try that finds the limit reached costs storage calls and a place. A range far back
 * in the order also tries before its turn, at growing intervals, and moves up if others have left. Each process has a
 * separate order. Safe for use from many threads.
 */
final class Pacer {

    private static final Duration FAR_BEHIND = Duration.ofMinutes(10);

    /**
     * The scheduler queues a due range within a minute; a range that is this late was paused, cancelled or mailed
     * elsewhere.
     */
    private static final Duration MISSED = Duration.ofMinutes(3);

    private final Map<RangeKey, Turn> turns = new HashMap<>();

    private record Turn(Instant at, Instant triesAt) {}

    /**
     * Gives the range the first free turn.
     *
     * @param free when the limit lets its lot through if no other range is ahead of it
     * @param length the time that the limit takes for its lot
     * @return when the range tries again
     */
    synchronized Instant next(RangeKey range, Instant now, Instant free, Duration length) {
        turns.remove(range);
        turns.values().removeIf(turn -> turn.triesAt().plus(MISSED).isBefore(now));
        Instant at = firstGap(free, length);
        Duration wait = Duration.between(now, at);
        Instant triesAt = wait.compareTo(FAR_BEHIND) <= 0 ? at : now.plus(Durations.max(FAR_BEHIND, wait.dividedBy(2)));
        turns.put(range, new Turn(at, triesAt));
        return triesAt;
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
}

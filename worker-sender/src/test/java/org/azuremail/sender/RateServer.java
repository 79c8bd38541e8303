package org.azuremail.sender;

import java.util.HashMap;
import java.util.Map;

/** Works on one unit after another, so many a second; and remembers what was done when. */
final class RateServer {

    private static final long SECOND = 1_000_000;

    private final int perSecond;
    private long free;
    private final Map<Long, Long> served = new HashMap<>();
    private long largest;

    RateServer(int perSecond) {
        this.perSecond = perSecond;
    }

    /** The time that a caller who comes now waits for its turn. */
    long backlog(long now) {
        return Math.max(0, free - now);
    }

    /** @return when it is done with these units */
    long serve(long now, long units) {
        free = Math.max(now, free) + units * SECOND / perSecond;
        served.merge(free / SECOND / 10, units, Long::sum);
        largest = Math.max(largest, units);
        return free;
    }

    /** The most that was done in ten seconds, but for the one call that began before them. */
    long mostInTenSeconds() {
        return served.values().stream().mapToLong(Long::longValue).max().orElse(0) - largest;
    }

    long total() {
        return served.values().stream().mapToLong(Long::longValue).sum();
    }
}

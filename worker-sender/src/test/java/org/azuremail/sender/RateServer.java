package org.azuremail.sender;

import java.util.HashMap;
import java.util.Map;

/** A server that handles a fixed number of units a second, one by one, and records when it did so. */
final class RateServer {

    private static final long SECOND = 1_000_000;

    private final int perSecond;
    private long free;
    private final Map<Long, Long> served = new HashMap<>();
    private long largest;

    RateServer(int perSecond) {
        this.perSecond = perSecond;
    }

    /** Returns how long a caller who arrives now waits for its turn. */
    long backlog(long now) {
        return Math.max(0, free - now);
    }

    /** @return the time at which these units are done */
    long serve(long now, long units) {
        free = Math.max(now, free) + units * SECOND / perSecond;
        served.merge(free / SECOND / 10, units, Long::sum);
        largest = Math.max(largest, units);
        return free;
    }

    /** Returns the most units done in ten seconds, without one call that may have begun before them. */
    long mostInTenSeconds() {
        return served.values().stream().mapToLong(Long::longValue).max().orElse(0) - largest;
    }

    long total() {
        return served.values().stream().mapToLong(Long::longValue).sum();
    }
}

package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.route.Attempt;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.time.Time;

/**
 * Decides how long ranges wait for a transport whose places are all taken. With several transports, a waiting range
 * would keep its handler from the ranges of another transport, so it tries again later, in its turn. Safe for use from
 * many threads.
 */
final class PlacePacer {

    private static final Duration RECENT = Duration.ofMillis(500);

    /**
     * The time between two turns, short enough that a transport still gets at least five ranges a second from this
     * process after a slow hour.
     */
    private static final Duration INTERVAL = Duration.ofMillis(200);

    private final Routes routes;
    private final Time time;
    private final Map<String, Pacer> pacers = new ConcurrentHashMap<>();

    PlacePacer(Routes routes, Time time) {
        this.routes = routes;
        this.time = time;
    }

    /** Returns when the range tries again; empty if it keeps its handler while it waits. */
    Optional<Instant> findRetryTime(RangeKey range, Route full, Attempt attempt) {
        boolean soonFree = attempt.age().compareTo(RECENT) < 0 && full.movedWithin(RECENT);
        if (soonFree || routes.single()) {
            return Optional.empty();
        }
        Instant now = time.instant();
        return Optional.of(pacers.computeIfAbsent(full.name(), unseen -> new Pacer())
                .next(range, now, now.plus(INTERVAL), INTERVAL));
    }
}

package org.azuremail.operations;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.azuremail.storage.StorageException;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instances;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of the service for monitoring programs, which read them again and again. While items wait, the figures
 * are at most {@link #BUSY} old. While none do, reading them costs one storage call every {@link Instances#HEARTBEAT},
 * which shows whether any process has put an item on a queue or taken one off it since. The figures are also read again
 * every {@link #IDLE}, for changes that no process reports. Safe for use from many threads.
 */
public final class Monitoring {

    /** The greatest age of the figures while items wait. */
    static final Duration BUSY = Duration.ofSeconds(60);

    /** The greatest age of the figures while no process has touched a queue. */
    static final Duration IDLE = Duration.ofHours(1);

    private static final Logger LOG = LoggerFactory.getLogger(Monitoring.class);

    private final Operations operations;
    private final Time time;
    private @Nullable Overview last;
    private Map<String, Map<String, Long>> movements = Map.of();
    private Duration refreshedElapsed = Duration.ZERO;
    private Duration askedElapsed = Duration.ZERO;

    Monitoring(Operations operations, Time time) {
        this.operations = operations;
        this.time = time;
    }

    /**
     * Returns the latest overview, whose time is {@link Overview#at()}; empty if the storage was never within reach.
     * Never throws.
     */
    public synchronized Optional<Overview> overview() {
        Duration now = time.elapsed();
        Overview seen = last;
        if (seen == null || now.minus(askedElapsed).compareTo(seen.idle() ? Instances.HEARTBEAT : BUSY) >= 0) {
            askedElapsed = now;
            try {
                refresh(seen, now);
            } catch (StorageException outOfReach) {
                LOG.debug("monitoring is told what was seen last", outOfReach);
            }
        }
        return Optional.ofNullable(last);
    }

    private void refresh(@Nullable Overview seen, Duration now) {
        Map<String, Map<String, Long>> moved = operations.movements();
        boolean untouched =
                moved.equals(movements) && now.minus(refreshedElapsed).compareTo(IDLE) < 0;
        if (seen == null || !seen.idle() || !untouched) {
            last = operations.overview();
            refreshedElapsed = now;
            movements = moved;
        }
    }
}

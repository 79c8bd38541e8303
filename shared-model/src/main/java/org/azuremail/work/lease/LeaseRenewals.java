package org.azuremail.work.lease;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.signal.WakeUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews what is held while work is in progress, so that items stay invisible and leases do not end. One instance
 * serves all work of a process.
 */
public final class LeaseRenewals {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewals.class);
    private static final Duration NOTHING_TO_DO = Duration.ofMinutes(1);

    /** Something that is lost unless it is renewed in time. */
    public interface Renewable {

        /** Returns the interval of renewals. Two more renewals must fit in before the lease is lost. */
        Duration every();

        /** @return false if it is lost or no longer needed */
        boolean renew();
    }

    private final Time time;
    private final WakeUp wakeUp = new WakeUp();
    private final Map<Renewable, Duration> dueElapsed = new HashMap<>();
    private final Set<Renewable> failing = new HashSet<>();
    private Duration nextCheck = Duration.ZERO;

    public LeaseRenewals(Time time) {
        this.time = time;
    }

    /**
     * Returns the signal that ends the rest after {@link #runOnce} if something becomes due earlier than it returned.
     */
    public WakeUp wakeUp() {
        return wakeUp;
    }

    public synchronized void add(Renewable renewable) {
        Duration due = time.elapsed().plus(renewable.every());
        dueElapsed.put(renewable, due);
        if (due.compareTo(nextCheck) < 0) {
            wakeUp.signal();
        }
    }

    public synchronized void remove(Renewable renewable) {
        dueElapsed.remove(renewable);
        failing.remove(renewable);
    }

    /** Renews what is due, and returns the time until the next renewal is due. */
    public Duration runOnce() {
        due(time.elapsed()).forEach(this::renew);
        return untilNext(time.elapsed());
    }

    private synchronized List<Renewable> due(Duration now) {
        return dueElapsed.entrySet().stream()
                .filter(entry -> entry.getValue().compareTo(now) <= 0)
                .map(Map.Entry::getKey)
                .toList();
    }

    private synchronized Duration untilNext(Duration now) {
        nextCheck = dueElapsed.values().stream().min(Duration::compareTo).orElse(now.plus(NOTHING_TO_DO));
        return Durations.max(nextCheck.minus(now), Duration.ZERO);
    }

    private void renew(Renewable renewable) {
        try {
            if (renewable.renew()) {
                postpone(renewable, renewable.every());
                succeeded(renewable);
            } else {
                remove(renewable);
            }
        } catch (RuntimeException e) {
            if (noteFailure(renewable)) {
                LOG.warn("could not renew {}, trying again: {}", renewable, e.toString());
            }
            postpone(renewable, renewable.every().dividedBy(4));
        }
    }

    private synchronized void succeeded(Renewable renewable) {
        failing.remove(renewable);
    }

    /**
     * @return whether this is the first failure since a success; a storage that is out of reach for an hour fails each
     *     renewal hundreds of times
     */
    private synchronized boolean noteFailure(Renewable renewable) {
        return dueElapsed.containsKey(renewable) && failing.add(renewable);
    }

    private synchronized void postpone(Renewable renewable, Duration rest) {
        Duration next = time.elapsed().plus(rest);
        dueElapsed.computeIfPresent(renewable, (same, before) -> next);
    }
}

package org.azuremail.work.lease;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;

/**
 * Named locks across all instances. One caller at a time holds a name, until it closes the lock, or dies and the lock
 * expires. Locks protect work that must not run twice at the same time and has no row to guard it. Safe for use from
 * many threads and processes.
 */
public record Locks(Leases leases, Time time) {

    private static final Duration FIRST_POLL = Duration.ofMillis(100);
    private static final Duration MAX_REST = Duration.ofSeconds(2);

    /**
     * Takes a lock, or waits for it. Tries again after a tenth of a second, then ever more rarely, but at least every
     * two seconds.
     *
     * @param name any text up to some hundred characters
     * @param ttl the time until the lock ends unless it is refreshed; more than {@link Leases#EARLY}. Between hosts,
     *     the next caller gets it a minute after that, because clocks may differ
     * @param maxWait how long to wait, or zero to try once
     * @return empty if other callers held the lock all the time
     * @throws org.azuremail.storage.StorageException if the outcome is unknown; if the lock was taken after all, it
     *     ends by itself
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public Optional<Lock> acquire(String name, Duration ttl, Duration maxWait) throws InterruptedException {
        Deadline deadline = new Deadline(time, maxWait);
        Duration rest = FIRST_POLL;
        while (true) {
            Optional<Lease> lease = leases.acquire("lock." + name, ttl);
            if (lease.isPresent()) {
                return lease.map(taken -> new Lock(name, ttl, taken));
            }
            Duration left = deadline.left();
            if (left.isZero()) {
                return Optional.empty();
            }
            time.sleep(Durations.min(rest, left));
            rest = Durations.min(rest.multipliedBy(2), MAX_REST);
        }
    }
}

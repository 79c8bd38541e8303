package org.azuremail.work.lease;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.time.Time;

/**
 * Named locks across all instances. One caller at a time holds a name, until it closes the lock, or dies and the lock
 * expires. Protects work that must not run twice at a time and has no row to guard it. Safe for use from many threads
 * and processes.
 */
public record Locks(Leases leases, Time time) {

    private static final Duration FIRST_LOOK = Duration.ofMillis(100);
    private static final Duration LONGEST_REST = Duration.ofSeconds(2);

    /**
     * Takes a lock, or waits for it: looks again after a tenth of a second, ever more rarely, at least each two seconds.
     *
     * @param name any text up to some hundred characters
     * @param ttl until it ends unless it is refreshed; more than {@link Leases#EARLY}. Between hosts the next one gets it
     *     a minute after that, as their clocks may differ
     * @param maxWait zero to look once
     * @return empty when somebody else held it all the time
     * @throws org.azuremail.storage.StorageException when nobody can know; if it was taken after all, it ends by itself
     * @throws InterruptedException when the thread is interrupted while it waits
     */
    public Optional<Lock> acquire(String name, Duration ttl, Duration maxWait) throws InterruptedException {
        Deadline deadline = new Deadline(time, maxWait);
        Duration rest = FIRST_LOOK;
        while (true) {
            Optional<Lease> lease = leases.acquire("lock." + name, ttl);
            if (lease.isPresent()) {
                return lease.map(taken -> new Lock(name, ttl, taken));
            }
            Duration left = deadline.left();
            if (left.isZero()) {
                return Optional.empty();
            }
            time.sleep(shorter(rest, left));
            rest = shorter(rest.multipliedBy(2), LONGEST_REST);
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}

package org.azuremail.work.lease;

import java.time.Duration;

/**
 * A lock that was acquired. It ends by itself unless it is refreshed in time, so a holder that was frozen may have lost
 * it without knowing. Call {@link #held()} before each step, and store the {@link #token()} with the data that the lock
 * guards, as {@link FencedRow} does. Safe for use from many threads.
 */
public final class Lock implements AutoCloseable {

    private final String name;
    private final Duration ttl;
    private final Lease lease;

    Lock(String name, Duration ttl, Lease lease) {
        this.name = name;
        this.ttl = ttl;
        this.lease = lease;
    }

    /** Returns a number that grows with every holder of this name. */
    public long token() {
        return lease.epoch();
    }

    /**
     * Returns whether this process certainly still holds the lock; false from {@link Leases#EARLY} before its end on.
     */
    public boolean held() {
        return lease.held();
    }

    /**
     * Extends the lock to its whole time, counted from now.
     *
     * @return false if it is lost or closed
     * @throws org.azuremail.storage.StorageException if the outcome is unknown; {@link #held()} then uses the previous
     *     end
     */
    public boolean refresh() {
        return lease.renew(ttl);
    }

    /**
     * Releases the lock, so that the next caller gets it immediately. If the storage is out of reach, the lock ends by
     * itself.
     */
    @Override
    public void close() {
        lease.release();
    }

    @Override
    public String toString() {
        return "lock " + name + " (" + token() + ")";
    }
}

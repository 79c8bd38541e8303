package org.azuremail.work.lease;

import java.time.Duration;

/**
 * A lock that was acquired. It ends by itself unless it is refreshed in time, so a holder that was frozen may have lost it
 * without knowing: ask {@link #held()} before each step, and let what the lock guards remember the {@link #token()}, as
 * {@link FencedRow} does. Safe for use from many threads.
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

    /** Grows with every holder of this name: a later one has a higher token. */
    public long token() {
        return lease.epoch();
    }

    /** Returns whether it is still ours for sure; false already {@link Leases#EARLY} before its end. */
    public boolean held() {
        return lease.held();
    }

    /**
     * Holds it for the whole time again, from now on.
     *
     * @return false when it is lost or closed
     * @throws org.azuremail.storage.StorageException when nobody can know; {@link #held()} goes by the end before
     */
    public boolean refresh() {
        return lease.renew(ttl);
    }

    /** Lets the next one have it at once. When the storage is out of reach, it ends by itself. */
    @Override
    public void close() {
        lease.release();
    }

    @Override
    public String toString() {
        return "lock " + name + " (" + token() + ")";
    }
}

package org.azuremail.work.lease;

import java.time.Duration;
import java.util.function.Supplier;

/** Keeps the lease of a scheduled service while a run takes its time. */
public final class LeaseRenewal implements Renewals.Renewable {

    private final Lease held;
    private final Supplier<Duration> duration;

    /** @param duration how long the lease is to last from a renewal on; asked each time, because it follows what a run finds */
    public LeaseRenewal(Lease held, Supplier<Duration> duration) {
        this.held = held;
        this.duration = duration;
    }

    @Override
    public Duration every() {
        return duration.get().dividedBy(3);
    }

    @Override
    public boolean renew() {
        return held.renew(duration.get());
    }

    @Override
    public String toString() {
        return "lease " + held.name();
    }
}

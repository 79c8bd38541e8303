package org.azuremail.work.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Leases;
import org.jspecify.annotations.Nullable;

/**
 * The time of a scheduled service's last run, as this process knows it. The wall clock of the process that ran it may
 * differ from ours, but the time since we first saw the run in the row does not. Both ways to compute when the next run
 * is due give a late rather than an early time, so the earlier one counts.
 */
final class LastRun {

    private final Time time;
    private final Duration maxSkew;
    private @Nullable Instant began;
    private Duration seenElapsed = Duration.ZERO;

    /** @param clocksDiffer the most that the clocks of two hosts differ */
    LastRun(Time time, Duration clocksDiffer) {
        this.time = time;
        this.maxSkew = clocksDiffer;
    }

    /** Updates this object from the present row. If the value is the same as before, the service has not run since. */
    void observe(Optional<Instant> lastRun) {
        if (lastRun.isEmpty()) {
            began = null;
        } else if (!lastRun.get().equals(began)) {
            began = lastRun.get();
            seenElapsed = time.elapsed().plus(ahead(began));
        }
    }

    /**
     * Returns how far ahead of our clock the run is. A row may record a run for the time at which its lease ends. If
     * the time is further ahead, the clock that wrote it was wrong.
     */
    private Duration ahead(Instant run) {
        Duration ahead = Durations.max(Duration.between(time.instant(), run), Duration.ZERO);
        return Durations.min(ahead, Leases.IDLE.plus(maxSkew));
    }

    @Nullable
    Instant began() {
        return began;
    }

    /** Returns the time until an interval has passed since the last run; zero or less if it has passed. */
    Duration untilDue(Duration interval) {
        if (began == null) {
            return Duration.ZERO;
        }
        Duration bySight = seenElapsed.plus(interval).minus(time.elapsed());
        Duration byClock = Duration.between(time.instant(), began.plus(interval).plus(maxSkew));
        return Durations.min(bySight, byClock);
    }
}

package org.azuremail.work.lease;

import java.time.Duration;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;

/** A deadline that several waits share. */
public final class Deadline {

    private final Time time;
    private final Duration endElapsed;

    public Deadline(Time time, Duration fromNow) {
        this.time = time;
        this.endElapsed = time.elapsed().plus(fromNow);
    }

    /** Returns the time that is left, which is never negative. */
    public Duration left() {
        return Durations.max(endElapsed.minus(time.elapsed()), Duration.ZERO);
    }
}

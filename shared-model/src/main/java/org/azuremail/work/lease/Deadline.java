package org.azuremail.work.lease;

import java.time.Duration;
import org.azuremail.time.Time;

/** A time to share among several waits. */
public final class Deadline {

    private final Time time;
    private final Duration endElapsed;

    public Deadline(Time time, Duration fromNow) {
        this.time = time;
        this.endElapsed = time.elapsed().plus(fromNow);
    }

    /** The time that is left; never negative. */
    public Duration left() {
        Duration left = endElapsed.minus(time.elapsed());
        return left.isNegative() ? Duration.ZERO : left;
    }
}

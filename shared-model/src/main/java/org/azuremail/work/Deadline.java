package org.azuremail.work;

import java.time.Duration;
import org.azuremail.time.Time;

/** A time to share among several waits. */
final class Deadline {

    private final Time time;
    private final Duration endElapsed;

    Deadline(Time time, Duration fromNow) {
        this.time = time;
        this.endElapsed = time.elapsed().plus(fromNow);
    }

    /** What is left of it; never negative. */
    Duration left() {
        Duration left = endElapsed.minus(time.elapsed());
        return left.isNegative() ? Duration.ZERO : left;
    }
}

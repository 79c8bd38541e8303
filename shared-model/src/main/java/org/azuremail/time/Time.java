package org.azuremail.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The wall clock and the monotonic clock of this process. Nothing else in the product reads a clock or sleeps, so that
 * tests control the time. Wall clocks of different hosts may differ by up to a minute; the monotonic clock never goes
 * backwards but means nothing outside this process.
 */
public interface Time extends InstantSource {

    /** Returns the system's clocks. */
    static Time system() {
        return SystemTime.INSTANCE;
    }

    /** Returns the wall-clock time, to the microsecond, which is the precision of tables. */
    @Override
    Instant instant();

    /** Returns the time since an arbitrary moment of this process; it never decreases. */
    Duration elapsed();

    /**
     * Blocks the calling thread for a time.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    void sleep(Duration duration) throws InterruptedException;

    /** Sleeps as {@link #sleep} does. Returns false, and leaves the thread interrupted, if it is interrupted. */
    default boolean pause(Duration duration) {
        try {
            sleep(duration);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

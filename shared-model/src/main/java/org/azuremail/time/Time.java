package org.azuremail.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Wall clock and monotonic clock of this process. Nothing else in the product reads a clock or sleeps, so that tests
 * drive time by hand. Wall clocks of different hosts may differ by up to a minute; the monotonic clock never goes
 * backwards but means nothing outside this process.
 */
public interface Time extends InstantSource {

    /** The system's clocks. */
    static Time system() {
        return SystemTime.INSTANCE;
    }

    /** Wall-clock time, UTC, to the microsecond: what tables keep. */
    @Override
    Instant instant();

    /** Time passed since an arbitrary moment of this process; never decreases. */
    Duration elapsed();

    /**
     * Waits on the calling thread.
     *
     * @throws InterruptedException when the thread is interrupted while it waits
     */
    void sleep(Duration duration) throws InterruptedException;
}

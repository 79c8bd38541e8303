package org.azuremail.storage.azure;

import java.time.Duration;
import org.azuremail.time.Time;

/** The time of a service, which cannot be driven. */
public final class RealTime {

    /** The difference between the service's precise times and the rounded ones in its answers. */
    private static final Duration MARGIN = Duration.ofMillis(100);

    private RealTime() {}

    /** Waits until this time has passed. */
    public static void letPass(Duration duration) {
        try {
            Time.system().sleep(duration.plus(MARGIN));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

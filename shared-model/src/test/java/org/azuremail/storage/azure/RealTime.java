package org.azuremail.storage.azure;

import java.time.Duration;
import org.azuremail.time.Time;

/** Time that nobody can drive: a service's own. */
public final class RealTime {

    /** The service's moments are finer than its answers say. */
    private static final Duration MARGIN = Duration.ofMillis(100);

    private RealTime() {}

    /** Lets so much time pass before it returns. */
    public static void letPass(Duration duration) {
        try {
            Time.system().sleep(duration.plus(MARGIN));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

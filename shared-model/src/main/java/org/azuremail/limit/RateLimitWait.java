package org.azuremail.limit;

import java.time.Duration;
import org.azuremail.reason.Reason;

/**
 * The answer to whether emails may be handed over now.
 *
 * @param duration zero if they may; otherwise how long to wait before asking again
 * @param reason the limit that is reached; none if no limit is reached
 */
public record RateLimitWait(Duration duration, Reason reason) {

    public static final RateLimitWait NONE = new RateLimitWait(Duration.ZERO, Reason.NONE);

    public boolean isZero() {
        return duration.isZero();
    }
}

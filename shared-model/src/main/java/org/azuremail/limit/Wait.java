package org.azuremail.limit;

import java.time.Duration;

/**
 * Whether mails may be handed over now.
 *
 * @param duration zero when they may; otherwise how long to wait before asking again
 * @param reason which limit is reached, for the page; empty when none is
 */
public record Wait(Duration duration, String reason) {

    /** They may be handed over now. */
    public static final Wait NONE = new Wait(Duration.ZERO, "");

    public boolean isZero() {
        return duration.isZero();
    }
}

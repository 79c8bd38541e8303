package org.azuremail.mail;

import java.time.Duration;

/**
 * The transport as a whole takes nothing now.
 *
 * @param kind what to do about it
 * @param reason for the admin, in words that say what to check; no secrets
 * @param retryAfter how long to wait before the next attempt
 * @param asked whether the provider itself named that time ({@code Retry-After}): nobody asks it before
 */
public record Unavailable(Kind kind, String reason, Duration retryAfter, boolean asked) {

    /** A time that we chose ourselves. */
    public Unavailable(Kind kind, String reason, Duration retryAfter) {
        this(kind, reason, retryAfter, false);
    }

    /** What the admin has to do. */
    public enum Kind {
        /** Nothing: it passes (429, 503, 421, no connection). The message waits. */
        WAIT,
        /** Mend the settings (401, 403, 535, sender not verified). The message is paused. */
        PAUSE
    }
}

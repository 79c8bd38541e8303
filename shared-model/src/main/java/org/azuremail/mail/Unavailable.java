package org.azuremail.mail;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
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

    /** Why there is no connection, in words without the names of classes. */
    public static String words(IOException failure) {
        String said = failure.getMessage();
        if (failure instanceof UnknownHostException) {
            return "there is no host of that name";
        }
        if (failure instanceof SocketTimeoutException) {
            return "it did not answer in time";
        }
        if (failure instanceof ConnectException && said != null && said.contains("refused")) {
            return "nothing listens there (connection refused)";
        }
        return said == null || said.isBlank() ? "the connection broke" : said;
    }

    /** What the admin has to do. */
    public enum Kind {
        /** Nothing: it passes (429, 503, 421, no connection). The message waits. */
        WAIT,
        /** Mend the settings (401, 403, 535, sender not verified). The message is paused. */
        PAUSE
    }
}

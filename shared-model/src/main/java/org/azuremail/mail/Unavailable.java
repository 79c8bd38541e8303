package org.azuremail.mail;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;

/**
 * The transport as a whole takes nothing now.
 *
 * @param kind what to do about it
 * @param reason for the admin: its words say what to check; no secrets
 * @param retryAfter how long to wait before the next attempt
 * @param asked whether the provider itself named that time ({@code Retry-After}): nobody asks it before
 */
public record Unavailable(Kind kind, Reason reason, Duration retryAfter, boolean asked) {

    /** A time that we chose ourselves. */
    public Unavailable(Kind kind, Reason reason, Duration retryAfter) {
        this(kind, reason, retryAfter, false);
    }

    public static Reason noConnection(IOException failure) {
        String said = failure.getMessage();
        if (failure instanceof UnknownHostException) {
            return Reason.of(ReasonCode.NO_HOST);
        }
        if (failure instanceof SocketTimeoutException) {
            return Reason.of(ReasonCode.NO_ANSWER);
        }
        if (failure instanceof ConnectException && said != null && said.contains("refused")) {
            return Reason.of(ReasonCode.NOTHING_LISTENS);
        }
        return said == null || said.isBlank() ? Reason.of(ReasonCode.CONNECTION_BROKE) : Reason.said(said);
    }

    /** The kind of action that the admin has to take. */
    public enum Kind {
        /** Nothing: it passes (429, 503, 421, no connection). The message waits. */
        WAIT,
        /** Mend the settings (401, 403, 535, sender not verified). The message is paused. */
        PAUSE
    }
}

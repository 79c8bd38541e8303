package org.azuremail.mail;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.time.Duration;
import java.util.Optional;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;

/**
 * The reason why a transport accepts nothing at present.
 *
 * @param kind the action that is needed
 * @param reason the reason for the admin, in words that say what to check; without secrets
 * @param retryAfter the time to wait before the next attempt
 * @param asked whether the provider requested that time ({@code Retry-After}); no attempt is made earlier
 */
public record Unavailable(Kind kind, Reason reason, Duration retryAfter, boolean asked) {

    /** Creates an unavailability whose delay was not requested by the provider. */
    public Unavailable(Kind kind, Reason reason, Duration retryAfter) {
        this(kind, reason, retryAfter, false);
    }

    public static Reason noConnection(IOException failure) {
        String said = failure.getMessage();
        if (failure instanceof UnknownHostException) {
            return Reason.of(ReasonCode.NO_HOST);
        }
        if (failure instanceof InterruptedIOException) {
            return Reason.of(ReasonCode.NO_ANSWER);
        }
        if (failure instanceof EOFException || failure.getCause() instanceof EOFException) {
            return Reason.of(ReasonCode.HUNG_UP);
        }
        if (failure instanceof ConnectException && said != null && said.contains("refused")) {
            return Reason.of(ReasonCode.NOTHING_LISTENS);
        }
        return certificate(failure)
                .map(Reason::of)
                .orElseGet(() ->
                        said == null || said.isBlank() ? Reason.of(ReasonCode.CONNECTION_BROKE) : Reason.ofText(said));
    }

    /**
     * Returns the fault of the other side's certificate if that is the cause, as the innermost exception describes it.
     */
    private static Optional<ReasonCode> certificate(Throwable failure) {
        Optional<ReasonCode> inner = failure.getCause() == null ? Optional.empty() : certificate(failure.getCause());
        if (inner.isPresent()) {
            return inner;
        }
        if (failure instanceof CertificateExpiredException) {
            return Optional.of(ReasonCode.CERTIFICATE_EXPIRED);
        }
        if (failure instanceof CertificateNotYetValidException) {
            return Optional.of(ReasonCode.CERTIFICATE_EARLY);
        }
        if (failure instanceof CertPathBuilderException) {
            return Optional.of(ReasonCode.CERTIFICATE_UNTRUSTED);
        }
        // A wrong host name throws the general exception; every other fault has its own class.
        return failure.getClass() == CertificateException.class
                ? Optional.of(ReasonCode.CERTIFICATE_NAME)
                : Optional.empty();
    }

    /** The kind of action that the admin has to take. */
    public enum Kind {
        /** No action: the problem is temporary (429, 503, 421, no connection). The message waits. */
        WAIT,
        /** Correct the settings (401, 403, 535, unverified sender). The message is paused. */
        PAUSE,
        /** Change the message, which is paused. The transport refuses all of it, but accepts other messages. */
        MESSAGE
    }
}

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
        if (failure instanceof InterruptedIOException) {
            return Reason.of(ReasonCode.NO_ANSWER);
        }
        if (failure instanceof EOFException || failure.getCause() instanceof EOFException) {
            return Reason.of(ReasonCode.HUNG_UP);
        }
        if (failure instanceof ConnectException && said != null && said.contains("refused")) {
            return Reason.of(ReasonCode.NOTHING_LISTENS);
        }
        Optional<ReasonCode> certificate = certificate(failure);
        if (certificate.isPresent()) {
            return Reason.of(certificate.get());
        }
        return said == null || said.isBlank() ? Reason.of(ReasonCode.CONNECTION_BROKE) : Reason.said(said);
    }

    /** Returns the flaw of the other end's certificate, if that is the cause; the innermost exception tells. */
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
        // The check of the name throws the general exception; all others have a class of their own.
        return failure.getClass() == CertificateException.class
                ? Optional.of(ReasonCode.CERTIFICATE_NAME)
                : Optional.empty();
    }

    /** The kind of action that the admin has to take. */
    public enum Kind {
        /** Nothing: it passes (429, 503, 421, no connection). The message waits. */
        WAIT,
        /** Mend the settings (401, 403, 535, sender not verified). The message is paused. */
        PAUSE,
        /** Change the message, which is paused: the transport takes nothing of it, but it does take other messages. */
        MESSAGE
    }
}

package org.azuremail.transport.smtp;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;

/** Thrown when the other end does not behave like an SMTP server. */
final class SmtpProtocolException extends IOException {

    private final transient Reason reason;

    SmtpProtocolException(SmtpReason code, Object... values) {
        super(Reason.of(code, values).words());
        this.reason = Reason.of(code, values);
    }

    /** Thrown when an answer arrived too late. */
    static final class WaitAbortedException extends InterruptedIOException {}

    /** Returns the reason why a connection broke. */
    static Reason reasonOf(IOException gone) {
        if (gone instanceof SmtpProtocolException no) {
            return no.reason;
        }
        return gone instanceof WaitAbortedException
                ? Reason.of(SmtpReason.SMTP_NOT_AWAITED)
                : Unavailable.noConnection(gone);
    }
}

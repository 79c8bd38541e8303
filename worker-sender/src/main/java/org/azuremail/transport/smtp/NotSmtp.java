package org.azuremail.transport.smtp;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;

/** Thrown when the other end does not behave like an SMTP server. */
final class NotSmtp extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Reason reason;

    NotSmtp(SmtpReason code, Object... values) {
        super(Reason.of(code, values).words());
        this.reason = Reason.of(code, values);
    }

    /** Thrown when an answer arrived too late. */
    static final class NotAwaited extends InterruptedIOException {

        private static final long serialVersionUID = 1L;
    }

    /** Returns the reason why a connection broke. */
    static Reason why(IOException gone) {
        if (gone instanceof NotSmtp no) {
            return no.reason;
        }
        return gone instanceof NotAwaited ? Reason.of(SmtpReason.SMTP_NOT_AWAITED) : Unavailable.noConnection(gone);
    }
}

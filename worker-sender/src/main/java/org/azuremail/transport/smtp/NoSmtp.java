package org.azuremail.transport.smtp;

import java.io.IOException;
import java.io.InterruptedIOException;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;

/** The other end does not talk as an SMTP server does. */
final class NoSmtp extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient Reason reason;

    NoSmtp(SmtpReason code, Object... values) {
        super(Reason.of(code, values).words());
        this.reason = Reason.of(code, values);
    }

    /** An answer came too late for us. */
    static final class NotAwaited extends InterruptedIOException {

        private static final long serialVersionUID = 1L;
    }

    /** The reason why a connection broke. */
    static Reason why(IOException gone) {
        if (gone instanceof NoSmtp no) {
            return no.reason;
        }
        return gone instanceof NotAwaited ? Reason.of(SmtpReason.SMTP_NOT_AWAITED) : Unavailable.noConnection(gone);
    }
}

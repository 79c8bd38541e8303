package org.azuremail.transport.smtp;

import jakarta.mail.MessagingException;
import java.time.Duration;
import org.azuremail.transport.smtp.SmtpReply.Stage;

/** One open connection; used by one thread at a time. */
final class SmtpConnection {

    private final StagedTransport transport;
    private boolean proven;
    private boolean alive = true;
    private Duration usedAt;

    SmtpConnection(StagedTransport transport, Duration now) {
        this.transport = transport;
        this.usedAt = now;
    }

    /** Whether it has carried a mail: when it breaks now, another connection may well work. */
    boolean proven() {
        return proven;
    }

    boolean alive() {
        return alive;
    }

    Duration usedAt() {
        return usedAt;
    }

    void usedAt(Duration now) {
        usedAt = now;
    }

    SmtpReply send(ReadyMessage message, String to) {
        SmtpReply reply = transport.send(message, to);
        if (reply.accepted()) {
            proven = true;
        } else if (reply.code() == SmtpReply.NONE || reply.code() == 421) {
            alive = false;
        } else if (reply.stage() == Stage.DATA) {
            reset();
        }
        return reply;
    }

    /** Forgets sender and recipient of a mail whose DATA was refused; other refusals leave nothing behind. */
    private void reset() {
        try {
            alive = transport.simpleCommand("RSET") == 250;
        } catch (MessagingException broken) {
            alive = false;
        }
    }

    /** Asks the server; costs one round trip. */
    boolean answers() {
        alive = alive && transport.isConnected();
        return alive;
    }

    StagedTransport transport() {
        return transport;
    }
}

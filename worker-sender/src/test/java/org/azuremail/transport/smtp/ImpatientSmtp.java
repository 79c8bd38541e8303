package org.azuremail.transport.smtp;

import java.time.Duration;
import org.azuremail.mail.Conversation;
import org.azuremail.time.Time;

/** A transport to a server on this machine that waits for answers only for a moment of real time. */
public final class ImpatientSmtp {

    private ImpatientSmtp() {}

    /** Returns a transport to a server on this machine. */
    public static SmtpTransport to(int port, int connections, Duration patience, Time time) {
        return new SmtpTransport(
                new SmtpProperties("localhost", port, null, null, SmtpProperties.Starttls.OFF, connections),
                "lists.contoso.edu",
                time,
                OnScriptedServer.patience(Duration.ofSeconds(5), patience, Duration.ofSeconds(5)),
                SmtpTransport.defaultTls(),
                Conversation.NONE);
    }
}

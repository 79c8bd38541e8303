package org.azuremail.transport.sendgrid;

import java.net.URI;
import java.time.Duration;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.Conversation;
import org.azuremail.time.Time;

/** A transport to a server on this machine that waits for answers only for a moment of real time. */
public final class ImpatientSendGrid {

    private ImpatientSendGrid() {}

    /** Returns a transport to a server on this machine. */
    public static SendGridTransport to(URI endpoint, int batch, Duration patience, Time time) {
        return new SendGridTransport(
                new SendGridProperties("key", endpoint, batch, null),
                time,
                new SeededIds(1),
                Duration.ofSeconds(5),
                patience,
                Conversation.NONE);
    }
}

package org.azuremail.transport.sendgrid;

import java.io.IOException;
import java.util.List;
import org.azuremail.id.SeededIds;
import org.azuremail.mail.MailTransport;
import org.azuremail.time.ManualTime;
import org.azuremail.transport.MailTransportContract;
import org.azuremail.transport.ReceivedMail;
import org.junit.jupiter.api.AfterEach;

/** Checks the contract with an HTTP server that speaks {@code /v3/mail/send}. */
class SendGridTransportTest implements MailTransportContract {

    private final FakeSendGrid server = new FakeSendGrid();
    private final SendGridTransport transport = new SendGridTransport(
            new SendGridProperties("key", server.endpoint(), 250, null), new ManualTime(), new SeededIds(1));

    @AfterEach
    void close() throws IOException {
        transport.close();
        server.close();
    }

    @Override
    public MailTransport transport() {
        return transport;
    }

    @Override
    public List<ReceivedMail> received() {
        return server.received();
    }
}

package org.azuremail.transport.smtp;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.mail.MailTransport;
import org.azuremail.time.Time;
import org.azuremail.transport.MailTransportContract;
import org.azuremail.transport.ReceivedMail;
import org.junit.jupiter.api.AfterEach;
import org.slf4j.LoggerFactory;

/** Checks the contract with a real SMTP server. */
class SmtpGreenMailTest implements MailTransportContract {

    private final GreenMail server = started();
    private final SmtpTransport transport = new SmtpTransport(
            new SmtpProperties("localhost", server.getSmtp().getPort(), null, null, SmtpProperties.Starttls.AUTO, 4),
            "localhost",
            Time.system());

    private static GreenMail started() {
        // GreenMail logs every mailbox that it creates.
        ((Logger) LoggerFactory.getLogger("com.icegreen.greenmail")).setLevel(Level.WARN);
        GreenMail server = new GreenMail(new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_SMTP));
        server.start();
        return server;
    }

    @AfterEach
    void stop() {
        transport.close();
        server.stop();
    }

    @Override
    public MailTransport transport() {
        return transport;
    }

    @Override
    public List<ReceivedMail> received() throws MessagingException, IOException {
        List<ReceivedMail> received = new ArrayList<>();
        for (MimeMessage message : server.getReceivedMessages()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            message.writeTo(bytes);
            received.add(ReceivedMail.of(bytes.toByteArray()));
        }
        return received;
    }
}

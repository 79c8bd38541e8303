package org.azuremail.transport.smtp;

import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import org.azuremail.time.Time;
import org.azuremail.transport.smtp.SmtpReply.Stage;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;

/**
 * Jakarta Mail's conversation with a server, which also remembers how far it came and since when it writes: its own
 * limit on writing starts a timer for every write, which costs as much as the mail.
 */
final class StagedTransport extends SMTPTransport {

    private final Socket socket;
    private final Time time;
    private volatile @Nullable Duration writingSince;
    private Stage stage = Stage.MAIL;

    StagedTransport(Session session, URLName server, Socket socket, Time time) {
        super(session, server);
        this.socket = socket;
        this.time = time;
    }

    /** Greets the server and signs in. */
    void start() throws MessagingException {
        connect(socket);
    }

    /** Hands one mail over; what goes wrong is told by the reply. */
    SmtpReply send(ReadyMessage message, String to) {
        stage = Stage.MAIL;
        try {
            sendMessage(message, new Address[] {ReadyMessage.address(to)});
            return new SmtpReply(Stage.END, 250, getLastServerResponse().strip());
        } catch (MessagingException failure) {
            return reply(failure);
        } catch (IllegalStateException notConnected) {
            return new SmtpReply(Stage.MAIL, SmtpReply.NONE, "not connected");
        }
    }

    private SmtpReply reply(MessagingException failure) {
        for (Exception cause = failure; cause != null; cause = next(cause)) {
            int code = code(cause);
            if (code >= 200) {
                return new SmtpReply(
                        stage, code, String.valueOf(cause.getMessage()).strip());
            }
        }
        return new SmtpReply(
                stage, SmtpReply.NONE, String.valueOf(failure.getMessage()).strip());
    }

    private static int code(Exception cause) {
        if (cause instanceof SMTPAddressFailedException refused) {
            return refused.getReturnCode();
        }
        return cause instanceof SMTPSendFailedException refused ? refused.getReturnCode() : SmtpReply.NONE;
    }

    private static @Nullable Exception next(Exception cause) {
        return cause instanceof MessagingException messaging ? messaging.getNextException() : null;
    }

    /** Closes the connection when the server has not taken what we write for so long; for another thread to call. */
    void hangUpIfStuck(Duration limit) {
        Duration since = writingSince;
        if (since != null && time.elapsed().minus(since).compareTo(limit) > 0) {
            hangUp();
        }
    }

    void hangUp() {
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            // That is what was wanted.
        }
    }

    @Override
    protected void sendCommand(String command) throws MessagingException {
        writingSince = time.elapsed();
        super.sendCommand(command);
    }

    @Override
    protected int readServerResponse() throws MessagingException {
        writingSince = null;
        return super.readServerResponse();
    }

    @Override
    protected void rcptTo() throws MessagingException {
        stage = Stage.RCPT;
        super.rcptTo();
    }

    @Override
    protected OutputStream data() throws MessagingException {
        stage = Stage.DATA;
        OutputStream body = super.data();
        writingSince = time.elapsed();
        return body;
    }

    @Override
    protected void finishData() throws IOException, MessagingException {
        stage = Stage.END;
        super.finishData();
    }
}

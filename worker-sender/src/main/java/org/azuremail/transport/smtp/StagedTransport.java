package org.azuremail.transport.smtp;

import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import java.io.OutputStream;
import org.azuremail.transport.smtp.SmtpReply.Stage;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/** Jakarta Mail's conversation with a server, which also remembers how far it came. */
final class StagedTransport extends SMTPTransport {

    private Stage stage = Stage.MAIL;

    StagedTransport(Session session, URLName server) {
        super(session, server);
    }

    /** Hands one mail over; what goes wrong is told by the reply. */
    SmtpReply send(ReadyMessage message, String to) {
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
            int code = 0;
            if (cause instanceof SMTPAddressFailedException refused) {
                code = refused.getReturnCode();
            } else if (cause instanceof SMTPSendFailedException refused) {
                code = refused.getReturnCode();
            }
            if (code >= 200) {
                return new SmtpReply(
                        stage, code, String.valueOf(cause.getMessage()).strip());
            }
        }
        return new SmtpReply(
                stage, SmtpReply.NONE, String.valueOf(failure.getMessage()).strip());
    }

    private static @org.jspecify.annotations.Nullable Exception next(Exception cause) {
        return cause instanceof MessagingException messaging ? messaging.getNextException() : null;
    }

    @Override
    protected void mailFrom() throws MessagingException {
        stage = Stage.MAIL;
        super.mailFrom();
    }

    @Override
    protected void rcptTo() throws MessagingException {
        stage = Stage.RCPT;
        super.rcptTo();
    }

    @Override
    protected OutputStream data() throws MessagingException {
        stage = Stage.DATA;
        return super.data();
    }

    @Override
    protected void finishData() throws IOException, MessagingException {
        stage = Stage.END;
        super.finishData();
    }
}

package org.azuremail.watcher.mailbox;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.icegreen.greenmail.store.FolderException;
import com.icegreen.greenmail.store.MailFolder;
import com.icegreen.greenmail.user.GreenMailUser;
import com.icegreen.greenmail.user.UserException;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import jakarta.mail.Flags;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeMessage;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/** A real IMAP and POP3 server, with and without TLS, that has one mailbox. */
public final class MailServer implements AutoCloseable {

    public static final String PASSWORD = "secret-1";
    private static final String USER = "bounces";
    private static final Session SESSION = Session.getInstance(new Properties());

    private final GreenMail server = new GreenMail(new ServerSetup[] {
        new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_IMAP),
        new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_IMAPS),
        new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_POP3),
        new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_POP3S)
    });
    private final GreenMailUser user;

    public MailServer() {
        // GreenMail logs every mailbox that it creates.
        ((Logger) LoggerFactory.getLogger("com.icegreen.greenmail")).setLevel(Level.ERROR);
        // A client that hangs up, as ours do while they wait, ends a thread of this server with an exception. That is
        // no failure of a test.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
        server.start();
        try {
            user = server.getUserManager().createUser("bounces@example.org", USER, PASSWORD);
        } catch (UserException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns settings with which a watcher reads the mailbox, by protocol and encryption. */
    public Map<String, String> settings(String protocol, String security) {
        int port = protocol.equals("imap")
                ? (security.equals("tls") ? server.getImaps() : server.getImap()).getPort()
                : (security.equals("tls") ? server.getPop3s() : server.getPop3()).getPort();
        Map<String, String> settings = new HashMap<>();
        settings.put("protocol", protocol);
        settings.put("security", security);
        settings.put("host", "localhost");
        settings.put("port", String.valueOf(port));
        settings.put("username", USER);
        settings.put("done", protocol.equals("imap") ? "move" : "delete");
        return settings;
    }

    public void deliver(String message) {
        deliver(message.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    public void deliver(byte[] message) {
        try {
            folder("INBOX")
                    .appendMessage(
                            new MimeMessage(SESSION, new ByteArrayInputStream(message)), new Flags(), new Date());
        } catch (MessagingException e) {
            throw new IllegalStateException(e);
        }
    }

    private MailFolder folder(String name) {
        try {
            return name.equals("INBOX")
                    ? server.getManagers().getImapHostManager().getInbox(user)
                    : server.getManagers().getImapHostManager().getFolder(user, name);
        } catch (FolderException e) {
            throw new IllegalStateException(e);
        }
    }

    public boolean hasFolder(String name) {
        return folder(name) != null;
    }

    /** Returns the number of messages in a folder; 0 if it does not exist. */
    public int count(String folder) {
        MailFolder found = folder(folder);
        return found == null ? 0 : found.getMessageCount();
    }

    @Override
    public void close() {
        server.stop();
    }
}

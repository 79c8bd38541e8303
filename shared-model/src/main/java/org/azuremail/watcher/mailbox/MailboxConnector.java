package org.azuremail.watcher.mailbox;

import static org.azuremail.watcher.mailbox.MailboxReason.MAILBOX_BROKE;
import static org.azuremail.watcher.mailbox.MailboxReason.MAILBOX_BUSY;
import static org.azuremail.watcher.mailbox.MailboxReason.MAILBOX_CERTIFICATE;
import static org.azuremail.watcher.mailbox.MailboxReason.MAILBOX_NO_FOLDER;
import static org.azuremail.watcher.mailbox.MailboxReason.MAILBOX_NO_HOST;
import static org.azuremail.watcher.mailbox.MailboxReason.MAILBOX_PASSWORD;
import static org.azuremail.watcher.mailbox.MailboxReason.MAILBOX_READS;
import static org.azuremail.watcher.mailbox.MailboxReason.MAILBOX_SILENT;
import static org.azuremail.watcher.mailbox.MailboxReason.MAILBOX_TLS;
import static org.azuremail.watcher.mailbox.MailboxReason.MAILBOX_UNREACHABLE;

import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.Folder;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Store;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.azuremail.app.Daemons;
import org.azuremail.reason.Reason;
import org.azuremail.watcher.WatcherKind.WatcherException;
import org.azuremail.watcher.mailbox.MailboxSettings.Security;
import org.eclipse.angus.mail.util.MailConnectException;
import org.jspecify.annotations.Nullable;

/**
 * Opens mailboxes, and determines why one cannot be opened or read. The connection to a server that does not answer in
 * time is closed.
 */
final class MailboxConnector implements AutoCloseable {

    private static final Duration CONNECT = Duration.ofSeconds(20);
    private static final Duration READ = Duration.ofSeconds(60);

    /** The time limit of a test, for which a person waits. */
    private static final Duration TEST = Duration.ofSeconds(25);

    private static final Duration TEST_READ = Duration.ofSeconds(10);

    private static final int FETCH_BYTES = 128 * 1024;
    private static final int MAX_WORDS_LENGTH = 300;

    /** Response codes of servers that temporarily refuse every sign-in (RFC 5530, RFC 2449, RFC 3206). */
    private static final Pattern NOT_NOW =
            Pattern.compile("\\[(UNAVAILABLE|INUSE|LIMIT|SERVERBUG|IN-USE|LOGIN-DELAY|SYS/TEMP)[] ]", 2);

    /** Response codes of servers that refuse this user name or password (RFC 5530, RFC 3206). */
    private static final Pattern DEFINITE = Pattern.compile(
            "\\[(AUTHENTICATIONFAILED|AUTHORIZATIONFAILED|EXPIRED|PRIVACYREQUIRED|CONTACTADMIN|AUTH|SYS/PERM)[] ]", 2);

    /**
     * The error for a server that offers no encryption; with POP3, the mail library reports it as a refused password.
     */
    private static final Pattern NO_STARTTLS = Pattern.compile("(STARTTLS|STLS) required but not supported.*");

    /** The error of the mail library for a POP3 server that hung up, which it reports as a refused password, too. */
    private static final Pattern HUNG_UP = Pattern.compile("^EOF on socket$");

    private final Map<String, String> more;
    private final ScheduledThreadPoolExecutor watch;

    /** @param more further properties of connections, without the prefix {@code mail.<protocol>.}; for tests */
    MailboxConnector(Map<String, String> more) {
        this.more = more;
        watch = new ScheduledThreadPoolExecutor(1, Daemons.named("mailbox watch"));
        watch.setRemoveOnCancelPolicy(true);
        watch.setKeepAliveTime(READ.toSeconds(), TimeUnit.SECONDS);
        watch.allowCoreThreadTimeOut(true);
    }

    /** @throws WatcherException with the reason why it cannot be opened */
    OpenMailbox open(MailboxSettings settings, String password) throws WatcherException {
        AbortableSockets sockets = new AbortableSockets(watch);
        sockets.abortIn(READ.multipliedBy(2));
        try {
            Store store = connect(settings, password, sockets, READ);
            return new OpenMailbox(store, settings, sockets);
        } catch (WatcherException | MessagingException | RuntimeException odd) {
            sockets.abort();
            throw odd instanceof WatcherException noFolder ? noFolder : failed(settings, odd, password);
        }
    }

    /**
     * Opens the folder that would be read, and changes nothing.
     *
     * @throws WatcherException with the reason why it cannot be read
     */
    Reason test(MailboxSettings settings, String password) throws WatcherException {
        AbortableSockets sockets = new AbortableSockets(watch);
        sockets.abortIn(TEST);
        try {
            Store store = connect(settings, password, sockets, TEST_READ);
            Folder folder = store.getFolder(settings.folder());
            if (!folder.exists()) {
                throw new WatcherException(Reason.of(MAILBOX_NO_FOLDER, settings.folder()));
            }
            folder.open(Folder.READ_ONLY);
            Reason answer = Reason.of(MAILBOX_READS, settings.host(), settings.folder(), folder.getMessageCount());
            folder.close(false);
            store.close();
            return answer;
        } catch (MessagingException | RuntimeException odd) {
            throw failed(settings, odd, password);
        } finally {
            sockets.abort();
        }
    }

    private Store connect(MailboxSettings settings, String password, AbortableSockets sockets, Duration read)
            throws MessagingException {
        String protocol = settings.imap() ? "imap" : "pop3";
        Session session = Session.getInstance(properties(settings, "mail." + protocol + ".", sockets, read));
        Store store = session.getStore(protocol);
        store.connect(settings.host(), settings.port(), settings.username(), password);
        return store;
    }

    private Properties properties(MailboxSettings settings, String prefix, AbortableSockets sockets, Duration read) {
        Properties properties = new Properties();
        properties.put(prefix + "socketFactory", sockets);
        properties.setProperty(prefix + "socketFactory.fallback", "false");
        properties.setProperty(
                prefix + "connectiontimeout", String.valueOf(Math.min(CONNECT.toMillis(), read.toMillis())));
        properties.setProperty(prefix + "timeout", String.valueOf(read.toMillis()));
        properties.setProperty(prefix + "ssl.enable", String.valueOf(settings.security() == Security.TLS));
        properties.setProperty(prefix + "ssl.checkserveridentity", "true");
        properties.setProperty(prefix + "starttls.enable", String.valueOf(settings.security() == Security.STARTTLS));
        properties.setProperty(prefix + "starttls.required", String.valueOf(settings.security() == Security.STARTTLS));
        properties.setProperty(prefix + "partialfetch", "true");
        properties.setProperty(prefix + "fetchsize", String.valueOf(FETCH_BYTES));
        properties.setProperty(prefix + "peek", "true");
        properties.setProperty(prefix + "connectionpoolsize", "1");
        more.forEach((name, value) -> properties.setProperty(prefix + name, value));
        return properties;
    }

    /**
     * Turns an exception from the conversation with the server into a reason.
     *
     * @param secret is removed from the reason, because the server may repeat it
     */
    static WatcherException failed(MailboxSettings settings, Exception odd, String secret) {
        String words = words(odd, secret);
        if (NO_STARTTLS.matcher(words).matches()) {
            return new WatcherException(Reason.of(MAILBOX_TLS, words));
        }
        if (odd instanceof AuthenticationFailedException
                && !HUNG_UP.matcher(words).matches()) {
            return new WatcherException(
                    Reason.of(NOT_NOW.matcher(words).find() ? MAILBOX_BUSY : MAILBOX_PASSWORD, words));
        }
        String port = String.valueOf(settings.port());
        for (Throwable cause = odd; cause != null; cause = next(cause)) {
            if (cause instanceof UnknownHostException) {
                return new WatcherException(Reason.of(MAILBOX_NO_HOST, settings.host()));
            }
            if (cause instanceof SocketTimeoutException) {
                return new WatcherException(Reason.of(MAILBOX_SILENT, settings.host(), port));
            }
            if (cause instanceof GeneralSecurityException) {
                return new WatcherException(
                        Reason.of(MAILBOX_CERTIFICATE, settings.host(), words(root(cause), secret)));
            }
            if (cause instanceof SSLException && !(cause.getCause() instanceof GeneralSecurityException)) {
                return new WatcherException(Reason.of(MAILBOX_TLS, words(cause, secret)));
            }
        }
        if (odd instanceof MailConnectException) {
            return new WatcherException(
                    Reason.of(MAILBOX_UNREACHABLE, settings.host(), port, words(root(odd), secret)));
        }
        return new WatcherException(Reason.of(MAILBOX_BROKE, words));
    }

    /** Returns whether a refusal of a password has a response code that excludes other causes. */
    static boolean isDefinite(Reason refusal) {
        return DEFINITE.matcher(refusal.text(0)).find();
    }

    private static @Nullable Throwable next(Throwable failure) {
        Throwable cause = failure.getCause();
        if (cause == null && failure instanceof MessagingException mail) {
            cause = mail.getNextException();
        }
        return cause == failure ? null : cause;
    }

    private static Throwable root(Throwable failure) {
        Throwable cause = next(failure);
        return cause == null ? failure : root(cause);
    }

    private static String words(Throwable failure, String secret) {
        String words = Objects.requireNonNullElse(
                        failure.getMessage(), failure.getClass().getSimpleName())
                .replace(secret, secret.isEmpty() ? "" : "…")
                .replaceAll("\\p{Cntrl}+", " ")
                .strip();
        return Reason.truncate(words, MAX_WORDS_LENGTH);
    }

    @Override
    public void close() {
        watch.shutdownNow();
    }
}

package org.azuremail.transport.smtp;

import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.azuremail.mail.Unavailable;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** Opens connections, says in plain words why it cannot, and hangs up on a server that takes nothing for too long. */
final class SmtpConnector {

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMinutes(5);
    private static final int SECONDS_BETWEEN_LOOKS = 4;

    private final SmtpProperties properties;
    private final SmtpTimeouts timeouts;
    private final SmtpSockets sockets;
    private final Session session;
    private final Time time;
    private final Set<StagedTransport> open = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "smtp-write-watch");
        thread.setDaemon(true);
        return thread;
    });

    /** A connection, or why there is none. */
    sealed interface Opened {

        record Ready(StagedTransport transport) implements Opened {}

        record None(Unavailable why) implements Opened {}
    }

    SmtpConnector(SmtpProperties properties, SmtpTimeouts timeouts, String localName, Time time) {
        this.properties = properties;
        this.timeouts = timeouts;
        this.sockets = new SmtpSockets(properties, timeouts);
        this.session = Session.getInstance(settings(properties, localName));
        this.time = time;
        watch.scheduleWithFixedDelay(
                this::hangUpOnStuck, SECONDS_BETWEEN_LOOKS, SECONDS_BETWEEN_LOOKS, TimeUnit.SECONDS);
    }

    private static Properties settings(SmtpProperties properties, String localName) {
        boolean starttls = !properties.implicitTls();
        Properties settings = new Properties();
        settings.put("mail.smtp.localhost", localName);
        settings.put("mail.smtp.auth", Boolean.toString(properties.signsIn()));
        settings.put("mail.smtp.starttls.enable", Boolean.toString(starttls && properties.tlsWanted()));
        settings.put("mail.smtp.starttls.required", Boolean.toString(starttls && properties.tlsRequired()));
        settings.put("mail.smtp.quitwait", "false");
        return settings;
    }

    Opened open() {
        Socket socket;
        try {
            socket = sockets.open();
        } catch (IOException failure) {
            return new Opened.None(
                    failure instanceof SSLException
                            ? pause("cannot be reached over TLS: " + failure)
                            : wait("cannot be reached: " + failure));
        }
        StagedTransport transport = new StagedTransport(session, url(), socket, time);
        open.add(transport);
        try {
            transport.start();
            return new Opened.Ready(transport);
        } catch (MessagingException failure) {
            close(transport);
            return new Opened.None(why(failure, transport.getLastReturnCode()));
        }
    }

    private URLName url() {
        boolean signsIn = properties.signsIn();
        return new URLName(
                "smtp",
                properties.host(),
                properties.port(),
                null,
                signsIn ? properties.username() : null,
                signsIn ? properties.password() : null);
    }

    private Unavailable why(MessagingException failure, int code) {
        String said = String.valueOf(failure.getMessage()).strip();
        if (failure instanceof AuthenticationFailedException) {
            return code / 100 == 4
                    ? wait("cannot check user name and password now: " + said)
                    : pause("refused the user name or password: " + said);
        }
        if (code / 100 == 5) {
            return pause("refused the connection: " + said);
        }
        if (tlsFailed(failure)) {
            return pause("cannot be reached over TLS: " + said);
        }
        return wait("cannot be reached: " + said);
    }

    /** A wrong certificate, or none where one is insisted on: waiting does not mend it. */
    private static boolean tlsFailed(MessagingException failure) {
        if (String.valueOf(failure.getMessage()).startsWith("STARTTLS is required")) {
            return true;
        }
        for (Throwable cause = failure; cause != null; cause = next(cause)) {
            if (cause instanceof SSLException) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable Throwable next(Throwable cause) {
        return cause instanceof MessagingException messaging ? messaging.getNextException() : cause.getCause();
    }

    Unavailable wait(String reason) {
        return new Unavailable(Unavailable.Kind.WAIT, "The " + properties.server() + " " + reason, WAIT);
    }

    Unavailable pause(String reason) {
        return new Unavailable(Unavailable.Kind.PAUSE, "The " + properties.server() + " " + reason, PAUSE);
    }

    /** Reading has a limit of its own; writing has none without this. */
    void hangUpOnStuck() {
        open.forEach(transport -> transport.hangUpIfStuck(timeouts.write()));
    }

    void close(StagedTransport transport) {
        open.remove(transport);
        try {
            transport.close();
        } catch (MessagingException alreadyGone) {
            // Nothing is lost by it: every mail had its answer.
        }
        transport.hangUp();
    }

    void close() {
        watch.shutdownNow();
    }
}

package org.azuremail.transport.smtp;

import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import javax.net.ssl.SSLException;
import org.azuremail.mail.Unavailable;
import org.jspecify.annotations.Nullable;

/** Opens connections and says in plain words why it cannot. */
final class SmtpConnector {

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMinutes(5);

    private final SmtpProperties properties;
    private final Session session;
    private final ScheduledExecutorService writeWatch = writeWatch();

    /** A connection, or why there is none. */
    sealed interface Opened {

        record Ready(StagedTransport transport) implements Opened {}

        record None(Unavailable why) implements Opened {}
    }

    SmtpConnector(SmtpProperties properties, SmtpTimeouts timeouts, String localName) {
        this.properties = properties;
        Properties settings = new Properties();
        settings.put("mail.smtp.localhost", localName);
        settings.put("mail.smtp.connectiontimeout", millis(timeouts.connect()));
        settings.put("mail.smtp.timeout", millis(timeouts.read()));
        settings.put("mail.smtp.writetimeout", millis(timeouts.write()));
        settings.put("mail.smtp.executor.writetimeout", writeWatch);
        settings.put("mail.smtp.auth", Boolean.toString(properties.signsIn()));
        settings.put("mail.smtp.ssl.enable", Boolean.toString(properties.implicitTls()));
        settings.put(
                "mail.smtp.starttls.enable",
                Boolean.toString(properties.starttls() != SmtpProperties.Starttls.OFF && !properties.implicitTls()));
        settings.put(
                "mail.smtp.starttls.required", Boolean.toString(properties.tlsRequired() && !properties.implicitTls()));
        settings.put("mail.smtp.quitwait", "false");
        this.session = Session.getInstance(settings);
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }

    private static ScheduledExecutorService writeWatch() {
        ScheduledThreadPoolExecutor watch = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "smtp-write-watch");
            thread.setDaemon(true);
            return thread;
        });
        watch.setRemoveOnCancelPolicy(true);
        return watch;
    }

    Opened open() {
        StagedTransport transport = new StagedTransport(
                session, new URLName("smtp", properties.host(), properties.port(), null, null, null));
        try {
            transport.connect(
                    properties.host(),
                    properties.port(),
                    properties.signsIn() ? properties.username() : null,
                    properties.signsIn() ? properties.password() : null);
            return new Opened.Ready(transport);
        } catch (MessagingException failure) {
            return new Opened.None(why(failure, transport.getLastReturnCode()));
        }
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

    void close() {
        writeWatch.shutdownNow();
    }
}

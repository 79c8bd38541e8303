package org.azuremail.transport.smtp;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.Unavailable;
import org.azuremail.reason.Reason;
import org.azuremail.time.Time;
import org.azuremail.transport.smtp.SmtpVerdict.Closed;
import org.jspecify.annotations.Nullable;

/** Opens connections, says in plain words why it cannot, and hangs up on a server that takes nothing for too long. */
final class SmtpConnector {

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMinutes(5);

    /** Shorter than it takes somebody to mend the password and to resume. */
    private static final Duration REFUSAL_KEPT = Duration.ofSeconds(5);

    private static final int SECONDS_BETWEEN_LOOKS = 4;

    private final SmtpProperties properties;
    private final SmtpTimeouts timeouts;
    private final SmtpSockets sockets;
    private final String localName;
    private final Time time;
    private final Conversation conversation;
    private final ReentrantLock firstSignIn = new ReentrantLock();
    private volatile boolean signedIn;
    private volatile @Nullable Refused refused;
    private final Set<SmtpWire> open = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "smtp-write-watch");
        thread.setDaemon(true);
        return thread;
    });

    private record Refused(Unavailable why, Duration at) {}

    /** A connection, or why there is none. */
    sealed interface Opened {

        record Ready(SmtpConnection connection) implements Opened {}

        record None(Unavailable why) implements Opened {}
    }

    SmtpConnector(
            SmtpProperties properties,
            SmtpTimeouts timeouts,
            SmtpSockets sockets,
            String localName,
            Time time,
            Conversation conversation) {
        this.properties = properties;
        this.timeouts = timeouts;
        this.sockets = sockets;
        this.localName = localName;
        this.time = time;
        this.conversation = conversation;
        watch.scheduleWithFixedDelay(
                this::hangUpOnStuck, SECONDS_BETWEEN_LOOKS, SECONDS_BETWEEN_LOOKS, TimeUnit.SECONDS);
    }

    /**
     * Opens one. A password that the server does not know is tried once: whoever comes at the same time, or within seconds
     * after it, hears what the server said. Servers lock out whoever guesses.
     *
     * @param mayWait asked every few seconds of waiting for the server
     */
    Opened open(BooleanSupplier mayWait) {
        if (!properties.signsIn()) {
            return openNow(mayWait);
        }
        Optional<Opened> refused = refusedLately();
        if (refused.isPresent() || signedIn) {
            return refused.orElseGet(() -> openNow(mayWait));
        }
        firstSignIn.lock();
        try {
            return refusedLately().orElseGet(() -> openNow(mayWait));
        } finally {
            firstSignIn.unlock();
        }
    }

    private Optional<Opened> refusedLately() {
        Refused known = refused;
        return known != null && time.elapsed().minus(known.at()).compareTo(REFUSAL_KEPT) < 0
                ? Optional.of(new Opened.None(known.why()))
                : Optional.empty();
    }

    private Opened openNow(BooleanSupplier mayWait) {
        Socket socket;
        try {
            socket = sockets.open();
        } catch (IOException failure) {
            broke(failure);
            return new Opened.None(wait(SmtpReason.SMTP_UNREACHABLE, Unavailable.noConnection(failure)));
        }
        try {
            return opened(socket, mayWait);
        } catch (IOException failure) {
            SmtpSockets.hangUp(socket);
            broke(failure);
            return new Opened.None(
                    failure instanceof SSLException
                            ? pause(SmtpReason.SMTP_NO_TLS, Unavailable.noConnection(failure))
                            : wait(SmtpReason.SMTP_UNREACHABLE, Unavailable.noConnection(failure)));
        }
    }

    private void broke(IOException failure) {
        conversation.add(
                Conversation.Who.BROKE, Unavailable.noConnection(failure).words());
    }

    private Opened opened(Socket socket, BooleanSupplier mayWait) throws IOException {
        Socket talking = properties.implicitTls() ? sockets.encrypt(socket) : socket;
        SmtpWire wire = new SmtpWire(socket, talking, timeouts, mayWait, time, conversation);
        open.add(wire);
        try {
            SmtpOpening opening = new SmtpOpening(wire, sockets, properties, localName);
            Optional<Closed> no = opening.run();
            SmtpConnection connection = new SmtpConnection(wire, opening.server());
            signedIn = no.isEmpty();
            if (no.isEmpty()) {
                return new Opened.Ready(connection);
            }
            close(connection);
            Unavailable why = unavailable(no.get());
            if (opening.passwordRefused()) {
                refused = new Refused(why, time.elapsed());
            }
            return new Opened.None(why);
        } catch (IOException failure) {
            open.remove(wire);
            throw failure;
        }
    }

    Unavailable unavailable(Closed closed) {
        return closed.kind() == Unavailable.Kind.PAUSE
                ? pause(closed.code(), closed.said())
                : wait(closed.code(), closed.said());
    }

    Unavailable wait(SmtpReason code, Object said) {
        return new Unavailable(Unavailable.Kind.WAIT, Reason.of(code, properties.server(), said), WAIT);
    }

    Unavailable pause(SmtpReason code, Object said) {
        return new Unavailable(Unavailable.Kind.PAUSE, Reason.of(code, properties.server(), said), PAUSE);
    }

    /** Reading has a limit of its own; writing has none without this. */
    void hangUpOnStuck() {
        open.forEach(SmtpWire::hangUpIfStuck);
    }

    void close(SmtpConnection connection) {
        connection.quit();
        open.remove(connection.wire());
    }

    void close() {
        watch.shutdownNow();
    }
}

package org.azuremail.transport.smtp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLException;
import org.azuremail.mail.Conversation.Speaker;
import org.azuremail.mail.Unavailable;
import org.azuremail.mail.Unavailable.Kind;
import org.azuremail.reason.Reason;
import org.azuremail.time.Time;
import org.azuremail.transport.smtp.SmtpVerdict.Closed;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections to the server, or returns the reason why it cannot. Closes the connection to a server that takes
 * nothing for too long. Safe for use from many threads.
 */
final class SmtpConnector {

    /**
     * The time for which a caller waits for a connection in use by others, or for a server's first answers while
     * another caller has waited for them longer. One caller at a time finds out whether a silent server answers at all,
     * and the others process other emails.
     */
    static final Duration TIMEOUT = Duration.ofSeconds(15);

    private static final Duration WAIT = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMinutes(5);

    /** The time for which a refusal is reused, shorter than an admin needs to correct the password and resume. */
    private static final Duration REFUSAL_CACHE_TIME = Duration.ofSeconds(5);

    private final SmtpSockets sockets;
    private final SmtpProperties properties;
    private final String localName;
    private final Time time;
    private final ReentrantLock firstSignIn = new ReentrantLock();
    private volatile boolean signedIn;
    private volatile @Nullable Refused refused;
    private final Set<SmtpWire> open = ConcurrentHashMap.newKeySet();
    private final Queue<Opening> openings = new ConcurrentLinkedQueue<>();

    /** A connection whose server has not answered the first commands yet. */
    private record Opening(Socket socket, Duration since) {}

    private record Refused(Unavailable why, Duration at) {}

    /** A connection, or the reason why there is none. */
    sealed interface ConnectResult {

        record Ready(SmtpConnection connection) implements ConnectResult {}

        record None(Unavailable why) implements ConnectResult {}
    }

    SmtpConnector(SmtpSockets sockets, String localName, Time time) {
        this.sockets = sockets;
        this.properties = sockets.properties();
        this.localName = localName;
        this.time = time;
    }

    /**
     * Opens a connection. A password that the server refuses is tried only once: threads that ask at the same time, or
     * within seconds after it, get the same answer, because servers lock out clients that guess.
     *
     * @param mayWait asked every few seconds during waits for the server, until the connection is given back
     */
    ConnectResult open(BooleanSupplier mayWait) {
        if (!properties.signsIn()) {
            return openNow(mayWait);
        }
        Optional<ConnectResult> refused = wasRefusedRecently();
        if (refused.isPresent() || signedIn) {
            return refused.orElseGet(() -> openNow(mayWait));
        }
        try {
            if (!awaitFirstSignIn(mayWait)) {
                return noAnswer();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return notAttempted();
        }
        try {
            return wasRefusedRecently().orElseGet(() -> openNow(mayWait));
        } finally {
            firstSignIn.unlock();
        }
    }

    private boolean awaitFirstSignIn(BooleanSupplier mayWait) throws InterruptedException {
        Duration since = time.elapsed();
        while (!firstSignIn.tryLock(1, TimeUnit.SECONDS)) {
            if (silent() || lasts(since) || !mayWait.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether a caller has waited for the server's first answers for so long that others should not wait as
     * well.
     */
    private boolean silent() {
        Opening longest = openings.peek();
        return longest != null && lasts(longest.since());
    }

    private boolean lasts(Duration since) {
        return time.elapsed().minus(since).compareTo(TIMEOUT) >= 0;
    }

    private ConnectResult noAnswer() {
        return new ConnectResult.None(wait(SmtpReason.SMTP_SILENT, ""));
    }

    private Optional<ConnectResult> wasRefusedRecently() {
        Refused known = refused;
        return known != null && time.elapsed().minus(known.at()).compareTo(REFUSAL_CACHE_TIME) < 0
                ? Optional.of(new ConnectResult.None(known.why()))
                : Optional.empty();
    }

    private ConnectResult openNow(BooleanSupplier mayWait) {
        if (silent()) {
            return noAnswer();
        }
        Socket socket;
        try {
            socket = sockets.open();
        } catch (IOException failure) {
            broke(failure);
            return new ConnectResult.None(wait(SmtpReason.SMTP_UNREACHABLE, Unavailable.noConnection(failure)));
        }
        try {
            return opened(socket, mayWait);
        } catch (IOException failure) {
            SmtpSockets.hangUp(socket);
            broke(failure);
            if (failure instanceof InterruptedIOException && !mayWait.getAsBoolean()) {
                return notAttempted();
            }
            return failure instanceof InterruptedIOException && silent()
                    ? noAnswer()
                    : new ConnectResult.None(whyNot(failure));
        }
    }

    private Unavailable whyNot(IOException failure) {
        Reason why = SmtpProtocolException.reasonOf(failure);
        if (failure instanceof SmtpProtocolException) {
            return wait(SmtpReason.SMTP_NO_SMTP, why);
        }
        // A server that closes the connection during the handshake may only be restarting.
        return failure instanceof SSLException && !(failure.getCause() instanceof EOFException)
                ? pause(SmtpReason.SMTP_NO_TLS, why)
                : wait(SmtpReason.SMTP_UNREACHABLE, why);
    }

    private void broke(IOException failure) {
        sockets.conversation()
                .add(Speaker.BROKE, SmtpProtocolException.reasonOf(failure).words());
    }

    private ConnectResult opened(Socket socket, BooleanSupplier mayWait) throws IOException {
        Opening first = new Opening(socket, time.elapsed());
        openings.add(first);
        BooleanSupplier mayWaitLong =
                () -> mayWait.getAsBoolean() && (first.equals(openings.peek()) || !lasts(first.since()));
        SmtpWire wire = new SmtpWire(socket, sockets, mayWaitLong, time);
        open.add(wire);
        boolean ready = false;
        try {
            if (properties.implicitTls()) {
                wire.encrypt();
            }
            SmtpHandshake handshake = new SmtpHandshake(wire, properties, localName);
            Optional<Closed> no = handshake.run();
            SmtpConnection connection = new SmtpConnection(wire, handshake.server());
            signedIn = no.isEmpty();
            if (no.isEmpty()) {
                ready = true;
                wire.waitsWhile(mayWait);
                return new ConnectResult.Ready(connection);
            }
            connection.quit();
            Unavailable why = unavailable(no.get());
            if (handshake.credentialsRefused()) {
                refused = new Refused(why, time.elapsed());
            }
            return new ConnectResult.None(why);
        } finally {
            openings.remove(first);
            if (!ready) {
                wire.hangUp();
                open.remove(wire);
            }
        }
    }

    ConnectResult notAttempted() {
        return new ConnectResult.None(wait(SmtpReason.SMTP_NOT_ASKED, ""));
    }

    Unavailable unavailable(Closed closed) {
        return closed.kind() == Kind.PAUSE ? pause(closed.code(), closed.said()) : wait(closed.code(), closed.said());
    }

    Unavailable wait(SmtpReason code, Object said) {
        return new Unavailable(Kind.WAIT, Reason.of(code, properties.server(), said), WAIT);
    }

    Unavailable pause(SmtpReason code, Object said) {
        return new Unavailable(Kind.PAUSE, Reason.of(code, properties.server(), said), PAUSE);
    }

    Unavailable messageTooLarge(SmtpReason code, long size, Object limit) {
        return new Unavailable(Kind.MESSAGE, Reason.of(code, properties.server(), size, limit), PAUSE);
    }

    /** Limits the time for writing; reading has a separate limit. */
    void closeStuck() {
        open.forEach(SmtpWire::closeIfStuck);
    }

    void hangUp(SmtpConnection connection) {
        connection.quit();
        open.remove(connection.wire());
    }
}

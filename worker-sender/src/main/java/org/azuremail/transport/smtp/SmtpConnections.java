package org.azuremail.transport.smtp;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.azuremail.mail.Unavailable;
import org.azuremail.time.Time;
import org.azuremail.transport.smtp.SmtpConnector.Opened;

/** The open connections of this process, up to a limit; the last used comes first. Safe for use from many threads. */
final class SmtpConnections {

    private static final int PATIENCE_SECONDS = 15;

    /** After this rest, a connection is checked before it is used; servers close idle connections after minutes. */
    private static final Duration TRUSTED = Duration.ofSeconds(10);

    private final SmtpConnector connector;
    private final Time time;
    private final Semaphore permits;
    private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();

    private record Idle(SmtpConnection connection, Duration since) {}

    SmtpConnections(SmtpConnector connector, int most, Time time) {
        this.connector = connector;
        this.time = time;
        this.permits = new Semaphore(most, true);
    }

    /**
     * Waits for a while when all are in use.
     *
     * @param mayWait asked every few seconds of waiting for the server, until the connection is given back
     */
    Opened borrow(BooleanSupplier mayWait) {
        try {
            if (!permits.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return new Opened.None(connector.wait(SmtpReason.SMTP_BUSY, ""));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return new Opened.None(connector.wait(SmtpReason.SMTP_NOT_ASKED, ""));
        }
        return taken(mayWait);
    }

    /** As {@link #borrow}, but the connection is always new. */
    Opened reopen(SmtpConnection broken, BooleanSupplier mayWait) {
        connector.close(broken);
        return opened(mayWait);
    }

    /** Makes sure that a connection is ready, unless all are in use. */
    Optional<Unavailable> warm() {
        if (!permits.tryAcquire()) {
            return Optional.empty();
        }
        Opened borrowed = taken(() -> true);
        if (borrowed instanceof Opened.None none) {
            return Optional.of(none.why());
        }
        giveBack(((Opened.Ready) borrowed).connection());
        return Optional.empty();
    }

    private Opened taken(BooleanSupplier mayWait) {
        for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
            next.connection().wire().waitsWhile(mayWait);
            boolean trusted = time.elapsed().minus(next.since()).compareTo(TRUSTED) < 0;
            if (trusted || next.connection().answers()) {
                return new Opened.Ready(next.connection());
            }
            connector.close(next.connection());
        }
        return opened(mayWait);
    }

    /** Holds a permit, and gives it up when there is no connection. */
    private Opened opened(BooleanSupplier mayWait) {
        Opened opened = connector.open(mayWait);
        if (opened instanceof Opened.None) {
            permits.release();
        }
        return opened;
    }

    void giveBack(SmtpConnection connection) {
        if (connection.alive()) {
            idle.addFirst(new Idle(connection, time.elapsed()));
        } else {
            connector.close(connection);
        }
        permits.release();
    }

    void close() {
        for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
            connector.close(next.connection());
        }
        connector.close();
    }
}

package org.azuremail.transport.smtp;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.azuremail.app.Daemons;
import org.azuremail.mail.Unavailable;
import org.azuremail.time.Time;
import org.azuremail.transport.smtp.SmtpConnector.ConnectResult;

/**
 * The open connections of this process, up to a limit; the last used one is used first. Safe for use from many threads.
 */
final class SmtpConnections {

    /**
     * The idle time after which a connection is checked before it is used; servers close idle connections after
     * minutes.
     */
    private static final Duration TRUSTED = Duration.ofSeconds(10);

    private static final int CHECK_INTERVAL_SECONDS = 4;

    private final SmtpConnector connector;
    private final Time time;
    private final Semaphore permits;
    private final ConcurrentLinkedDeque<Idle> idle = new ConcurrentLinkedDeque<>();
    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(Daemons.named("smtp-write-watch"));

    private record Idle(SmtpConnection connection, Duration since) {}

    SmtpConnections(SmtpConnector connector, int max, Time time) {
        this.connector = connector;
        this.time = time;
        this.permits = new Semaphore(max, true);
        watch.scheduleWithFixedDelay(
                connector::closeStuck, CHECK_INTERVAL_SECONDS, CHECK_INTERVAL_SECONDS, TimeUnit.SECONDS);
    }

    /**
     * Borrows a connection. Waits for a while when all are in use.
     *
     * @param mayWait asked every few seconds during waits for the server, until the connection is given back
     */
    ConnectResult borrow(BooleanSupplier mayWait) {
        try {
            if (!permits.tryAcquire(SmtpConnector.TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                return new ConnectResult.None(connector.wait(SmtpReason.SMTP_BUSY, ""));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return connector.notAttempted();
        }
        return taken(mayWait);
    }

    /** Borrows as {@link #borrow} does, but always a new connection. */
    ConnectResult reopen(SmtpConnection broken, BooleanSupplier mayWait) {
        connector.hangUp(broken);
        return openOrRelease(mayWait);
    }

    /** Makes sure that a connection is ready, unless all are in use. */
    Optional<Unavailable> warm(BooleanSupplier mayWait) {
        if (!permits.tryAcquire()) {
            return Optional.empty();
        }
        ConnectResult borrowed = taken(mayWait);
        if (borrowed instanceof ConnectResult.None none) {
            return Optional.of(none.why());
        }
        giveBack(((ConnectResult.Ready) borrowed).connection());
        return Optional.empty();
    }

    private ConnectResult taken(BooleanSupplier mayWait) {
        for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
            next.connection().wire().waitsWhile(mayWait);
            boolean trusted = time.elapsed().minus(next.since()).compareTo(TRUSTED) < 0;
            if (trusted || next.connection().answers()) {
                return new ConnectResult.Ready(next.connection());
            }
            connector.hangUp(next.connection());
        }
        return openOrRelease(mayWait);
    }

    /** Opens a connection under the permit that the caller holds, and releases the permit on failure. */
    private ConnectResult openOrRelease(BooleanSupplier mayWait) {
        ConnectResult opened = null;
        try {
            opened = connector.open(mayWait);
            return opened;
        } finally {
            if (!(opened instanceof ConnectResult.Ready)) {
                permits.release();
            }
        }
    }

    void giveBack(SmtpConnection connection) {
        if (connection.alive()) {
            idle.addFirst(new Idle(connection, time.elapsed()));
        } else {
            connector.hangUp(connection);
        }
        permits.release();
    }

    SmtpConnector connector() {
        return connector;
    }

    void close() {
        for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
            connector.hangUp(next.connection());
        }
        watch.shutdownNow();
    }
}

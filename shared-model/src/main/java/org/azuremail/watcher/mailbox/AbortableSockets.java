package org.azuremail.watcher.mailbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one mailbox, below TLS. Closing them ends every wait for the server, at once and from any thread.
 */
final class AbortableSockets extends SocketFactory {

    private final ScheduledExecutorService scheduler;
    private final List<Socket> sockets = new ArrayList<>();
    private @Nullable Future<?> alarm;
    private boolean aborted;

    /** @param clock the executor that cuts the connections when their time is over */
    AbortableSockets(ScheduledExecutorService clock) {
        this.scheduler = clock;
    }

    /** Cuts the connections after this time, unless another call extends it. */
    synchronized void abortIn(Duration rest) {
        cancelAlarm();
        try {
            alarm = scheduler.schedule(this::abort, rest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException processStops) {
            abort();
        }
    }

    private void cancelAlarm() {
        if (alarm != null) {
            alarm.cancel(false);
        }
    }

    /** Closes the connections. Later connections are closed as soon as they are created. */
    synchronized void abort() {
        cancelAlarm();
        aborted = true;
        sockets.forEach(AbortableSockets::close);
        sockets.clear();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // The socket is closed, as intended.
        }
    }

    @Override
    public synchronized Socket createSocket() {
        Socket socket = new Socket();
        if (aborted) {
            close(socket);
        }
        sockets.add(socket);
        return socket;
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw onlyUnconnected();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw onlyUnconnected();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw onlyUnconnected();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw onlyUnconnected();
    }

    /**
     * The mail library creates an unconnected socket and connects it later, so that its time-out applies: see its
     * SocketFetcher.
     */
    private static UnsupportedOperationException onlyUnconnected() {
        return new UnsupportedOperationException("connected sockets are not made here: they could not be cut before");
    }
}

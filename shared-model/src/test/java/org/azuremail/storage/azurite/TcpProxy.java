package org.azuremail.storage.azurite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A proxy for a port, so that tests can interrupt connections without disturbing the server. The proxy's own port stays
 * the same, so clients experience the outage and its end. Safe for use from many threads.
 */
public final class TcpProxy implements AutoCloseable {

    private final ServerSocket door;
    private final InetAddress host;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Barrier barrier = new Barrier();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "tcp-proxy");
        thread.setDaemon(true);
        return thread;
    });

    private TcpProxy(InetAddress host, int target) {
        try {
            this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.host = host;
        this.target = target == 0 ? door.getLocalPort() : target;
        threads.execute(this::admit);
    }

    /** Returns a proxy for a port of this machine. */
    static TcpProxy to(int target) {
        return new TcpProxy(InetAddress.getLoopbackAddress(), target);
    }

    /**
     * Returns a proxy from a port of 127.0.0.1 to the same port of another loopback address, for servers that tell
     * clients their port.
     */
    public static TcpProxy toSamePortOf(InetAddress host) {
        return new TcpProxy(host, 0);
    }

    /** Returns the port at which the proxy listens, on 127.0.0.1. */
    public int port() {
        return door.getLocalPort();
    }

    private void admit() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                if (barrier.breaksOff()) {
                    reset(client);
                } else {
                    connect(client);
                }
            } catch (IOException e) {
                // The next connection may succeed; closing the proxy ends the loop.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket(host, target);
        open.add(client);
        open.add(server);
        threads.execute(() -> pump(client, server));
        threads.execute(() -> pump(server, client));
        if (barrier.breaksOff()) {
            breakOff();
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[16 * 1024];
        try {
            int length;
            while ((length = from.getInputStream().read(buffer)) >= 0) {
                barrier.awaitOpen();
                to.getOutputStream().write(buffer, 0, length);
            }
            to.shutdownOutput();
        } catch (IOException e) {
            reset(from);
            reset(to);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Breaks all connections, both open and new ones, from now on. */
    public void breakOff() {
        barrier.set(Barrier.State.BROKEN);
        open.forEach(this::reset);
    }

    /** Accepts connections from now on, but passes no data in either direction. */
    public void hang() {
        barrier.set(Barrier.State.SHUT);
    }

    /** Passes all data again, beginning with the data that was held back. */
    public void pass() {
        barrier.set(Barrier.State.OPEN);
    }

    private void reset(Socket socket) {
        open.remove(socket);
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // The socket was already closed.
        }
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        breakOff();
        threads.shutdownNow();
    }

    /** Passes data, holds it back, or breaks the connection. */
    private static final class Barrier {

        enum State {
            OPEN,
            SHUT,
            BROKEN
        }

        private State state = State.OPEN;

        synchronized void set(State next) {
            state = next;
            notifyAll();
        }

        synchronized boolean breaksOff() {
            return state == State.BROKEN;
        }

        synchronized void awaitOpen() throws InterruptedException, IOException {
            while (state == State.SHUT) {
                wait();
            }
            if (state == State.BROKEN) {
                throw new IOException("broken off");
            }
        }
    }
}

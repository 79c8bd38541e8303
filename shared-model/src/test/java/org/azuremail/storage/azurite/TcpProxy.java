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
 * The way to a port, for tests that close it for a while: whoever listens there goes on undisturbed. The proxy's own port stays
 * the same, so that those who use it meet the outage and its end. Safe for use from many threads.
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

    /** To a port of this machine. */
    static TcpProxy to(int target) {
        return new TcpProxy(InetAddress.getLoopbackAddress(), target);
    }

    /**
     * Forwards a port of 127.0.0.1 to the same port of another loopback address, for servers that publish their port.
     */
    public static TcpProxy toSamePortOf(InetAddress host) {
        return new TcpProxy(host, 0);
    }

    /** The port at which it listens, on 127.0.0.1. */
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
                // The next one may get through; a closed door ends the loop.
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

    /** Closes all connections, open and future ones. */
    public void breakOff() {
        barrier.set(Barrier.State.BROKEN);
        open.forEach(this::reset);
    }

    /** Accepts connections from now on but forwards nothing in either direction. */
    public void hang() {
        barrier.set(Barrier.State.SHUT);
    }

    /** Everything comes through again, what was held back first. */
    public void pass() {
        barrier.set(Barrier.State.OPEN);
    }

    private void reset(Socket socket) {
        open.remove(socket);
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It was closed already.
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

    /** Lets bytes pass, holds them back or breaks the connection off. */
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

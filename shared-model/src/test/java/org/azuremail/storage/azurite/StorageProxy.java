package org.azuremail.storage.azurite;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.azuremail.storage.azurite.Azurite.Service;

/**
 * The way to Azurite, for tests that close it for a while: Azurite itself goes on undisturbed. Ports stay the same, so
 * that processes with this connection string meet the outage and its end. Safe for use from many threads.
 */
public final class StorageProxy implements AutoCloseable {

    private final Map<Service, ServerSocket> doors = new EnumMap<>(Service.class);
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final Barrier barrier = new Barrier();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "storage-proxy");
        thread.setDaemon(true);
        return thread;
    });

    private StorageProxy(Map<Service, Integer> ports) {
        ports.forEach((service, port) -> doors.put(service, open(port)));
    }

    /** To a running Azurite. */
    public static StorageProxy to(Azurite azurite) {
        Map<Service, Integer> ports = new EnumMap<>(Service.class);
        for (Service service : Service.values()) {
            ports.put(service, azurite.port(service));
        }
        return new StorageProxy(ports);
    }

    /** To these ports of this machine. */
    static StorageProxy to(Map<Service, Integer> ports) {
        return new StorageProxy(ports);
    }

    private ServerSocket open(int target) {
        try {
            ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            threads.execute(() -> admit(door, target));
            return door;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void admit(ServerSocket door, int target) {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                if (barrier.breaksOff()) {
                    reset(client);
                } else {
                    connect(client, target);
                }
            } catch (IOException e) {
                // The next one may get through; a closed door ends the loop.
            }
        }
    }

    private void connect(Socket client, int target) throws IOException {
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
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

    /** A connection string by way of this proxy. */
    public String connectionString() {
        Map<Service, Integer> ports = new EnumMap<>(Service.class);
        doors.forEach((service, door) -> ports.put(service, door.getLocalPort()));
        return Azurite.connectionString(ports);
    }

    int port(Service service) {
        ServerSocket door = doors.get(service);
        return door == null ? 0 : door.getLocalPort();
    }

    /** From now on every connection is broken off, those that are open too. */
    public void breakOff() {
        barrier.set(Barrier.State.BROKEN);
        open.forEach(this::reset);
    }

    /** From now on connections are taken and nothing comes through, neither way. */
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
        for (ServerSocket door : doors.values()) {
            try {
                door.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        breakOff();
        threads.shutdownNow();
    }

    /** What happens to bytes on their way. */
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

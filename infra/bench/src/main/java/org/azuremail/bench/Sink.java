package org.azuremail.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server of this process on loopback that takes mail, one thread a connection. */
abstract class Sink implements AutoCloseable {

    private static final int BACKLOG = 256;

    private final ServerSocket socket;

    Sink() {
        try {
            socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins to listen; a subclass is complete by then. */
    void open() {
        start("accept", this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                client.setTcpNoDelay(true);
                start("client", () -> serve(client));
            } catch (IOException stopped) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            converse(client);
        } catch (IOException gone) {
            // The client hung up.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** One connection, until the client ends it. */
    abstract void converse(Socket client) throws IOException, InterruptedException;

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, "sink-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

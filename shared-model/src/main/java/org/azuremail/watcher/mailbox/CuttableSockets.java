package org.azuremail.watcher.mailbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import javax.net.SocketFactory;

/** The connections of one mailbox, below TLS: closing them ends whatever waits for the server, at once and from any thread. */
final class CuttableSockets extends SocketFactory {

    private final List<Socket> made = new ArrayList<>();
    private boolean cut;

    /** Later connections are closed as soon as they are made. */
    synchronized void cut() {
        cut = true;
        made.forEach(CuttableSockets::close);
        made.clear();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyGone) {
            // That was the aim.
        }
    }

    @Override
    public synchronized Socket createSocket() {
        Socket socket = new Socket();
        if (cut) {
            close(socket);
        }
        made.add(socket);
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

    /** The mail library makes a socket first and connects it later, so that its time-out holds: see its SocketFetcher. */
    private static UnsupportedOperationException onlyUnconnected() {
        return new UnsupportedOperationException("connected sockets are not made here: they could not be cut before");
    }
}

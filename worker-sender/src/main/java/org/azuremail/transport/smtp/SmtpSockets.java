package org.azuremail.transport.smtp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.azuremail.mail.Conversation;

/** Opens sockets to the server directly, so that a stuck one can be closed from outside. */
record SmtpSockets(SmtpProperties properties, SmtpTimeouts timeouts, SSLSocketFactory tls, Conversation conversation) {

    private static final int ADDRESSES = 2;

    /** Opens a socket that is not encrypted yet. */
    Socket open() throws IOException {
        List<InetAddress> addresses = Arrays.stream(InetAddress.getAllByName(properties.host()))
                .limit(ADDRESSES)
                .toList();
        IOException last = new UnknownHostException(properties.host());
        for (InetAddress address : addresses) {
            try {
                return open(address, (int) timeouts.connect().toMillis() / addresses.size());
            } catch (IOException failure) {
                last = failure;
            }
        }
        throw last;
    }

    private Socket open(InetAddress address, int connectMillis) throws IOException {
        Socket socket = new Socket();
        try {
            // The last bytes of an email must not wait until the server acknowledges earlier ones.
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) timeouts.quick().toMillis());
            socket.connect(new InetSocketAddress(address, properties.port()), connectMillis);
            return socket;
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
    }

    /** Starts TLS; the certificate must match the server's name. */
    Socket encrypt(Socket socket) throws IOException {
        socket.setSoTimeout((int) timeouts.quick().toMillis());
        SSLSocket encrypted = (SSLSocket) tls.createSocket(socket, properties.host(), properties.port(), true);
        SSLParameters parameters = encrypted.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        encrypted.setSSLParameters(parameters);
        encrypted.startHandshake();
        conversation.add(Conversation.Speaker.ENCRYPTED, encrypted.getSession().getProtocol());
        return encrypted;
    }

    static void hangUp(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            // The socket is closed, as intended.
        }
    }
}

package org.azuremail.watcher.mailbox;

import com.icegreen.greenmail.util.DummySSLServerSocketFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * A proxy in front of an IMAP or POP3 server without STARTTLS. It offers STARTTLS, accepts nothing else in clear text,
 * and forwards encrypted data.
 */
final class StartTlsDoor implements AutoCloseable {

    private final ServerSocket door;
    private final int behind;
    private final SSLContext tls;
    private final StringBuffer heardBefore = new StringBuffer();

    StartTlsDoor(int behind) throws IOException, GeneralSecurityException {
        this.behind = behind;
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(new DummySSLServerSocketFactory().getKeyStore(), "changeit".toCharArray());
        tls = SSLContext.getInstance("TLS");
        tls.init(keys.getKeyManagers(), null, null);
        door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        ScriptedMailbox.start(() -> {
            while (!door.isClosed()) {
                Socket socket = door.accept();
                ScriptedMailbox.start(() -> serve(socket));
            }
        });
    }

    private void serve(Socket client) throws IOException {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), behind)) {
            say(client, line(server.getInputStream()));
            for (String line = line(client.getInputStream()); !line.isEmpty(); line = line(client.getInputStream())) {
                heardBefore.append(line).append('\n');
                String tag = line.split(" ")[0];
                switch (line.substring(line.indexOf(' ') + 1).toUpperCase(Locale.ROOT)) {
                    case "CAPABILITY" ->
                        say(client, "* CAPABILITY IMAP4rev1 STARTTLS LOGINDISABLED\r\n" + tag + " OK done");
                    case "CAPA" -> say(client, "+OK\r\nSTLS\r\nUIDL\r\nTOP\r\n.");
                    case "STARTTLS" -> {
                        say(client, tag + " OK begin");
                        encrypted(client, server);
                        return;
                    }
                    case "STLS" -> {
                        say(client, "+OK begin");
                        encrypted(client, server);
                        return;
                    }
                    default -> say(client, (line.equals("QUIT") ? "+OK" : tag + " BAD") + " not in clear");
                }
            }
        }
    }

    private void encrypted(Socket client, Socket server) throws IOException {
        try (SSLSocket safe = (SSLSocket) tls.getSocketFactory()
                .createSocket(client, client.getInetAddress().getHostAddress(), client.getPort(), true)) {
            safe.setUseClientMode(false);
            ScriptedMailbox.start(() -> server.getInputStream().transferTo(safe.getOutputStream()));
            safe.getInputStream().transferTo(server.getOutputStream());
        }
    }

    /** Reads one line, byte by byte, so that nothing behind it is read. */
    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private static void say(Socket socket, String line) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    int port() {
        return door.getLocalPort();
    }

    /** Returns the data that arrived in clear text. */
    String heardBefore() {
        return heardBefore.toString();
    }

    @Override
    public void close() throws IOException {
        door.close();
    }
}

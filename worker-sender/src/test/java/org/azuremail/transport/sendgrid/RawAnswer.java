package org.azuremail.transport.sendgrid;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that reads a request and answers with these bytes. Then it hangs up, or continues forever: slowly, or as
 * fast as it can.
 */
final class RawAnswer implements AutoCloseable {

    private static final String LENGTH = "content-length: ";

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String answer;
    private final byte[] forEver;

    RawAnswer(String answer, boolean trickles) throws IOException {
        this(answer, new byte[trickles ? 1 : 0]);
    }

    private RawAnswer(String answer, byte[] forEver) throws IOException {
        this.answer = answer;
        this.forEver = forEver;
        Arrays.fill(forEver, (byte) 'x');
        Thread thread = new Thread(this::accept, "raw-answer");
        thread.setDaemon(true);
        thread.start();
    }

    static RawAnswer thatFloods(String answer) throws IOException {
        return new RawAnswer(answer, new byte[1 << 20]);
    }

    URI endpoint() {
        return URI.create("http://localhost:" + socket.getLocalPort());
    }

    private void accept() {
        while (!socket.isClosed()) {
            try (Socket client = socket.accept()) {
                read(client.getInputStream());
                OutputStream out = client.getOutputStream();
                out.write(answer.getBytes(StandardCharsets.US_ASCII));
                out.flush();
                while (forEver.length > 0) {
                    out.write(forEver);
                    out.flush();
                    LockSupport.parkNanos(20_000_000L / forEver.length);
                }
            } catch (IOException gone) {
                // The client hung up, or the test ended.
            }
        }
    }

    /** A request's head and as much of a body as it says. */
    static void read(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("cut off");
            }
            head.append((char) next);
        }
        String lower = head.toString().toLowerCase(java.util.Locale.ROOT);
        int at = lower.indexOf(LENGTH);
        if (at >= 0) {
            in.readNBytes(Integer.parseInt(lower.substring(at + LENGTH.length(), lower.indexOf('\r', at))
                    .strip()));
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

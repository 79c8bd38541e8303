package org.azuremail.web.connector;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client that writes HTTP by hand, as slowly and as wrongly as a test needs. */
public final class Caller implements AutoCloseable {

    private static final int LONGEST_WAIT_MILLIS = 20_000;

    private static final String LENGTH = "content-length: ";

    private final Socket socket;

    public Caller(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(LONGEST_WAIT_MILLIS);
        socket.setTcpNoDelay(true);
    }

    public Caller send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public Caller send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** Sends one chunk of this number of spaces. */
    public Caller chunk(int size) throws IOException {
        return send(Integer.toHexString(size) + "\r\n" + " ".repeat(size) + "\r\n");
    }

    /** Closes the connection for sending. The answer can still be read. */
    public Caller endSending() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /** Returns the head of the response and as much of its body as the head announces. */
    public String answer() throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                return head.toString();
            }
            head.append((char) next);
        }
        return head + new String(body(head.toString(), in), StandardCharsets.UTF_8);
    }

    private static byte[] body(String head, InputStream in) throws IOException {
        String lower = head.toLowerCase(Locale.ROOT);
        int length = lower.indexOf(LENGTH);
        if (length >= 0) {
            return in.readNBytes(number(lower, length + LENGTH.length(), 10));
        }
        if (lower.contains("transfer-encoding: chunked")) {
            return chunks(in);
        }
        return lower.startsWith("http/1.1 100") ? new byte[0] : in.readAllBytes();
    }

    private static int number(String text, int from, int radix) {
        return Integer.parseInt(text.substring(from, text.indexOf("\r\n", from)), radix);
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        int size;
        do {
            StringBuilder line = new StringBuilder();
            while (line.indexOf("\r\n") < 0) {
                line.append((char) in.read());
            }
            size = number(line.toString(), 0, 16);
            body.writeBytes(in.readNBytes(size));
            in.readNBytes(2);
        } while (size > 0);
        return body.toByteArray();
    }

    /** Returns whether the service closes the connection within this time. */
    public boolean isClosedWithinMillis(int millis) {
        try {
            socket.setSoTimeout(millis);
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return true;
        }
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

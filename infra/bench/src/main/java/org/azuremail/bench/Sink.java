package org.azuremail.bench;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.azuremail.app.Daemons;

/** A server in this process that listens on loopback, with one thread for each connection. */
final class Sink implements AutoCloseable {

    static final byte[] LINE = {'\r', '\n'};
    static final byte[] HEAD_END = ascii("\r\n\r\n");
    private static final int BACKLOG = 256;

    private final ServerSocket socket;
    private final Conversation conversation;

    interface Conversation {
        /** Handles a connection until the client closes it. */
        void converse(Input in, OutputStream out) throws IOException, InterruptedException;
    }

    Sink(Conversation conversation) throws IOException {
        this.conversation = conversation;
        this.socket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Daemons.named("sink-accept").newThread(this::accept).start();
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                client.setTcpNoDelay(true);
                Daemons.named("sink-client").newThread(() -> serve(client)).start();
            } catch (IOException stopped) {
                return;
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            conversation.converse(new Input(client.getInputStream()), client.getOutputStream());
        } catch (IOException gone) {
            // The client closed the connection.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** The bytes of a connection, which are processed in the buffer without a copy. */
    static final class Input {

        private final InputStream in;
        private byte[] bytes = new byte[256 * 1024];
        private int from;
        private int to;

        Input(InputStream in) {
            this.in = in;
        }

        /** Returns the buffer. Call this after {@link #take}, which returns the offset and may move the buffer. */
        byte[] bytes() {
            return bytes;
        }

        /** Returns whether some of the bytes that were read are not taken yet. */
        boolean pending() {
            return from < to;
        }

        /** Takes {@code count} bytes, and returns the offset of the first one. */
        int take(int count) throws IOException {
            while (to - from < count) {
                if (!fill(count)) {
                    throw new EOFException("the connection ended");
                }
            }
            int start = from;
            from += count;
            return start;
        }

        String takeText(int count) throws IOException {
            int start = take(count);
            return new String(bytes, start, count, StandardCharsets.ISO_8859_1);
        }

        /** Takes the bytes up to the end of this mark. */
        void skip(byte[] mark) throws IOException {
            int length = lengthTo(mark);
            if (length < 0) {
                throw new EOFException("no answer");
            }
            take(length);
        }

        /**
         * Returns the number of bytes up to the end of this mark, without taking them; -1 if the connection ends
         * before.
         */
        int lengthTo(byte[] mark) throws IOException {
            int at = from;
            while (true) {
                for (; at + mark.length <= to; at++) {
                    if (bytes[at] == mark[0] && Arrays.equals(bytes, at, at + mark.length, mark, 0, mark.length)) {
                        return at + mark.length - from;
                    }
                }
                int seen = at - from;
                if (!fill(to - from + 1)) {
                    return -1;
                }
                at = from + seen;
            }
        }

        /** Reads more bytes; returns false at the end of the connection. */
        private boolean fill(int wanted) throws IOException {
            if (from == to) {
                from = 0;
                to = 0;
            }
            if (bytes.length - from < Math.max(wanted, to - from + 1)) {
                byte[] larger = wanted > bytes.length ? new byte[Math.max(bytes.length * 2, wanted)] : bytes;
                System.arraycopy(bytes, from, larger, 0, to - from);
                to -= from;
                from = 0;
                bytes = larger;
            }
            int read = in.read(bytes, to, bytes.length - to);
            to += Math.max(0, read);
            return read >= 0;
        }
    }
}

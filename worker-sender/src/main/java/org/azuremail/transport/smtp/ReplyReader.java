package org.azuremail.transport.smtp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.azuremail.mail.Conversation;
import org.azuremail.time.Time;

/**
 * Reads a server's replies, of one line or several, however they are cut into packets. Each has to be complete within the
 * time for reading, however slowly its bytes come; what is no reply, or has no end, is an {@link IOException}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5321#section-4.2">RFC 5321, 4.2</a>
 */
final class ReplyReader {

    /** RFC 5321 allows 512 bytes a line; some say more. */
    private static final int LINE = 4096;

    private static final int LINES = 200;

    /** So often whoever waits is asked whether to go on: well within a lease. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Socket socket;
    private final InputStream in;
    private final Time time;
    private final Conversation conversation;
    private final byte[] buffer = new byte[LINE];
    private int from;
    private int to;

    ReplyReader(Socket socket, Time time, Conversation conversation) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.time = time;
        this.conversation = conversation;
    }

    /**
     * The next reply.
     *
     * @param patience for the whole of it
     * @param goesOn asked every few seconds of waiting
     */
    ServerReply read(Duration patience, BooleanSupplier goesOn) throws IOException {
        Waiting waiting = new Waiting(patience, goesOn);
        List<String> lines = new ArrayList<>(1);
        while (lines.size() < LINES) {
            String line = line(waiting);
            conversation.add(Conversation.Who.SERVER, line);
            checkReply(line);
            lines.add(line);
            if (line.length() == 3 || line.charAt(3) == ' ') {
                return ServerReply.of(lines);
            }
        }
        throw new ProtocolException("an answer of more than " + LINES + " lines");
    }

    private static void checkReply(String line) throws IOException {
        boolean code = line.length() >= 3
                && line.charAt(0) >= '2'
                && line.charAt(0) <= '5'
                && digit(line.charAt(1))
                && digit(line.charAt(2));
        if (!code || (line.length() > 3 && line.charAt(3) != ' ' && line.charAt(3) != '-')) {
            throw new ProtocolException("what came is no answer of an SMTP server: "
                    + ServerReply.readable(line.substring(0, Math.min(80, line.length()))));
        }
    }

    private static boolean digit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Returns whether nothing waits to be read: before a command, anything else is an answer to nothing. */
    boolean quiet() throws IOException {
        return from == to && in.available() == 0;
    }

    private String line(Waiting waiting) throws IOException {
        for (int seen = from; ; ) {
            for (; seen < to; seen++) {
                if (buffer[seen] == '\n') {
                    int end = seen > from && buffer[seen - 1] == '\r' ? seen - 1 : seen;
                    String line = new String(buffer, from, end - from, StandardCharsets.UTF_8);
                    from = seen + 1;
                    return line;
                }
            }
            seen -= from;
            fill(waiting);
        }
    }

    /** Moves what is unread to the buffer's beginning and reads more behind it. */
    private void fill(Waiting waiting) throws IOException {
        System.arraycopy(buffer, from, buffer, 0, to - from);
        to -= from;
        from = 0;
        if (to == LINE) {
            throw new ProtocolException("a line of more than " + LINE + " bytes");
        }
        int read = waiting.read();
        if (read < 0) {
            throw new EOFException("the server closed the connection");
        }
        to += read;
    }

    /** One reply that is waited for. */
    private final class Waiting {

        private final BooleanSupplier goesOn;
        private final Duration end;
        private Duration nextLook;
        private Duration left;

        private Waiting(Duration patience, BooleanSupplier goesOn) {
            this.goesOn = goesOn;
            this.left = patience;
            this.end = time.elapsed().plus(patience);
            this.nextLook = time.elapsed().plus(LOOK);
        }

        /** Some bytes more. */
        private int read() throws IOException {
            while (true) {
                Duration now = time.elapsed();
                if (left.isZero() || now.compareTo(end) >= 0) {
                    throw new InterruptedIOException("no whole answer in time");
                }
                if (now.compareTo(nextLook) >= 0) {
                    look(now);
                }
                Duration slice = left.compareTo(LOOK) < 0 ? left : LOOK;
                socket.setSoTimeout((int) Math.max(1, slice.toMillis()));
                try {
                    return in.read(buffer, to, LINE - to);
                } catch (SocketTimeoutException nothingYet) {
                    left = left.minus(slice);
                    look(time.elapsed());
                }
            }
        }

        private void look(Duration now) throws IOException {
            nextLook = now.plus(LOOK);
            if (!goesOn.getAsBoolean()) {
                throw new InterruptedIOException("the answer is not waited for any longer");
            }
        }
    }
}

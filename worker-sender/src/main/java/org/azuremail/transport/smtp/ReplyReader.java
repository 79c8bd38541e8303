package org.azuremail.transport.smtp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    private final Socket socket;
    private final InputStream in;
    private final Duration patience;
    private final Time time;
    private final byte[] buffer = new byte[LINE];
    private int from;
    private int to;

    ReplyReader(Socket socket, Duration patience, Time time) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.patience = patience;
        this.time = time;
    }

    ServerReply read() throws IOException {
        Duration limit = time.elapsed().plus(patience);
        List<String> lines = new ArrayList<>(1);
        while (lines.size() < LINES) {
            String line = line(limit);
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

    /** Whether nothing waits to be read: before a command, anything else is an answer to nothing. */
    boolean quiet() throws IOException {
        return from == to && in.available() == 0;
    }

    private String line(Duration limit) throws IOException {
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
            fill(limit);
        }
    }

    /** Moves what is unread to the buffer's beginning and reads more behind it. */
    private void fill(Duration limit) throws IOException {
        System.arraycopy(buffer, from, buffer, 0, to - from);
        to -= from;
        from = 0;
        if (to == LINE) {
            throw new ProtocolException("a line of more than " + LINE + " bytes");
        }
        long millis = limit.minus(time.elapsed()).toMillis();
        if (millis <= 0) {
            throw new InterruptedIOException("no whole answer in time");
        }
        socket.setSoTimeout((int) Math.min(millis, patience.toMillis()));
        int read = in.read(buffer, to, LINE - to);
        if (read < 0) {
            throw new EOFException("the server closed the connection");
        }
        to += read;
    }
}

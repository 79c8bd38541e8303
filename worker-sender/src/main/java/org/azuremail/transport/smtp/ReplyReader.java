package org.azuremail.transport.smtp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.azuremail.mail.Conversation;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;

/**
 * Reads a server's replies, of one or several lines, however they are divided into packets. Each must be complete
 * within the time limit, however slowly its bytes arrive. Anything that is not a reply, has no end, or has different
 * codes in its lines, is an {@link IOException}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5321#section-4.2">RFC 5321, 4.2</a>
 */
final class ReplyReader {

    /** RFC 5321 allows 512 bytes a line; some servers send more. */
    private static final int LINE = 4096;

    private static final int LINES = 200;
    private static final int CODE = 3;
    private static final Pattern REPLY = Pattern.compile("[2-5][0-9]{2}(?:[ -].*)?", Pattern.DOTALL);

    /** The interval at which the caller is asked whether to continue waiting, well within a lease. */
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);

    private final Socket socket;
    private final InputStream in;
    private final InputStream received;
    private final Time time;
    private final Conversation conversation;
    private final byte[] buffer = new byte[LINE];
    private int from;
    private int to;

    /** @param received the stream under an encrypted socket, or else that of the socket itself */
    ReplyReader(Socket socket, InputStream received, Time time, Conversation conversation) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.received = received;
        this.time = time;
        this.conversation = conversation;
    }

    /**
     * Reads the next reply.
     *
     * @param patience the time limit for the whole reply
     * @param mayWait asked every few seconds whether to continue waiting
     */
    ServerReply read(Duration patience, BooleanSupplier mayWait) throws IOException {
        Waiting waiting = new Waiting(patience, mayWait);
        List<String> lines = new ArrayList<>(1);
        while (lines.size() < LINES) {
            String line = line(waiting);
            conversation.add(Conversation.Speaker.SERVER, line);
            checkReply(line);
            lines.add(line);
            String code = lines.get(0).substring(0, CODE);
            if (!line.startsWith(code)) {
                throw new SmtpProtocolException(SmtpReason.SMTP_CODES_DIFFER, code, line.substring(0, CODE));
            }
            if (line.length() == CODE || line.charAt(CODE) == ' ') {
                return ServerReply.of(lines);
            }
        }
        throw new SmtpProtocolException(SmtpReason.SMTP_MANY_LINES, LINES);
    }

    private static void checkReply(String line) throws IOException {
        if (!REPLY.matcher(line).matches()) {
            String said = ServerReply.readable(line.substring(0, Math.min(80, line.length())))
                    .strip();
            throw said.isEmpty()
                    ? new SmtpProtocolException(SmtpReason.SMTP_NO_TEXT)
                    : new SmtpProtocolException(SmtpReason.SMTP_SAID, said);
        }
    }

    /** Returns whether no bytes are waiting to be read; before a command, any bytes would be an unsolicited reply. */
    boolean quiet() throws IOException {
        return from == to && in.available() == 0 && (received.available() == 0 || onlyTls());
    }

    /**
     * Returns whether the encrypted bytes that wait are messages of TLS itself, such as a new session ticket, which
     * are skipped here.
     */
    private boolean onlyTls() throws IOException {
        socket.setSoTimeout(1);
        from = 0;
        to = 0;
        try {
            to = Math.max(0, in.read(buffer));
            return false;
        } catch (SocketTimeoutException nothing) {
            return true;
        }
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

    /** Moves unread bytes to the beginning of the buffer and reads more after them. */
    private void fill(Waiting waiting) throws IOException {
        System.arraycopy(buffer, from, buffer, 0, to - from);
        to -= from;
        from = 0;
        if (to == LINE) {
            throw new SmtpProtocolException(SmtpReason.SMTP_LONG_LINE, LINE);
        }
        int read = waiting.read();
        if (read < 0) {
            throw new EOFException("the server closed the connection");
        }
        to += read;
    }

    /** The wait for one reply. */
    private final class Waiting {

        private final BooleanSupplier goesOn;
        private final Duration end;
        private Duration nextCheck;
        private Duration left;

        private Waiting(Duration patience, BooleanSupplier goesOn) {
            this.goesOn = goesOn;
            this.left = patience;
            this.end = time.elapsed().plus(patience);
            this.nextCheck = time.elapsed().plus(CHECK_INTERVAL);
        }

        private int read() throws IOException {
            while (true) {
                Duration now = time.elapsed();
                if (left.isZero() || now.compareTo(end) >= 0) {
                    throw new InterruptedIOException("no whole answer in time");
                }
                if (now.compareTo(nextCheck) >= 0) {
                    check(now);
                }
                Duration slice = Durations.min(left, CHECK_INTERVAL);
                socket.setSoTimeout((int) Math.max(1, slice.toMillis()));
                try {
                    return in.read(buffer, to, LINE - to);
                } catch (SocketTimeoutException nothingYet) {
                    left = left.minus(slice);
                    check(time.elapsed());
                }
            }
        }

        private void check(Duration now) throws IOException {
            nextCheck = now.plus(CHECK_INTERVAL);
            if (!goesOn.getAsBoolean()) {
                throw new SmtpProtocolException.WaitAbortedException();
            }
        }
    }
}

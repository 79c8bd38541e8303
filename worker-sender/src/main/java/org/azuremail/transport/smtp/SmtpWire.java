package org.azuremail.transport.smtp;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.Conversation.Speaker;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Commands, emails and replies over one socket. Appended bytes are sent together at the next {@link #flush}. Used by
 * one thread at a time, except for {@link #hangUp} and {@link #closeIfStuck}.
 */
final class SmtpWire {

    private static final byte[] DOT = ".\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Socket plain;
    private final SmtpSockets sockets;
    private final SmtpTimeouts timeouts;
    private final Conversation conversation;
    private final Time time;
    private final SmtpBuffer unsent = new SmtpBuffer();
    private OutputStream out;
    private ReplyReader replies;
    private BooleanSupplier mayWait;
    private volatile @Nullable Duration writingSince;
    private volatile @Nullable Duration encryptingSince;
    private volatile boolean stuck;

    /**
     * @param plain the socket that {@link #hangUp} closes, even when another one over it encrypts, because closing
     *     the encrypted one would wait for a thread that writes to it
     * @param mayWait see {@link #waitsWhile}
     */
    SmtpWire(Socket plain, SmtpSockets sockets, BooleanSupplier mayWait, Time time) throws IOException {
        this.plain = plain;
        this.sockets = sockets;
        this.timeouts = sockets.timeouts();
        this.conversation = sockets.conversation();
        this.time = time;
        this.out = plain.getOutputStream();
        this.replies = new ReplyReader(plain, plain.getInputStream(), time, conversation);
        this.mayWait = mayWait;
    }

    /** Sets the supplier that says, during a wait for an answer and a long write, whether to continue. */
    void waitsWhile(BooleanSupplier allowed) {
        mayWait = allowed;
    }

    /** Continues over an encrypted socket. Bytes that arrived before are not an answer of the authenticated server. */
    void encrypt() throws IOException {
        if (!replies.quiet()) {
            throw new SmtpProtocolException(SmtpReason.SMTP_BEFORE_TLS);
        }
        // The socket's time limit applies to each read, so it does not end a handshake that arrives byte by byte.
        encryptingSince = time.elapsed();
        try {
            Socket encrypted = sockets.encrypt(plain);
            out = encrypted.getOutputStream();
            replies = new ReplyReader(encrypted, plain.getInputStream(), time, conversation);
        } catch (IOException failure) {
            throw stuck ? new SocketTimeoutException("no whole TLS handshake in time") : failure;
        } finally {
            encryptingSince = null;
        }
    }

    /** @param command without line breaks */
    void put(String command) {
        conversation.add(Speaker.US, command);
        unsent.writeBytes((command + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Appends an email with its dots doubled, without the final dot. */
    void putMail(byte[] mail) {
        conversation.add(Speaker.EMAIL, String.valueOf(mail.length));
        unsent.appendStuffed(mail);
    }

    void putDot() {
        unsent.writeBytes(DOT);
    }

    void flush() throws IOException {
        flush(0);
    }

    /** Sends the waiting bytes except this many at the end. */
    void flush(int held) throws IOException {
        writingSince = time.elapsed();
        unsent.writeTo(out, held, this::madeProgress);
        writingSince = null;
    }

    private void madeProgress() throws IOException {
        writingSince = time.elapsed();
        if (!mayWait.getAsBoolean()) {
            throw new SmtpProtocolException.WaitAbortedException();
        }
    }

    int waiting() {
        return unsent.size();
    }

    ServerReply ask(String command) throws IOException {
        put(command);
        flush();
        return read();
    }

    /** Sends a secret, which is hidden in the conversation's record. */
    ServerReply askWithSecret(String before, String secret) throws IOException {
        conversation.hide(secret);
        return ask(before + secret);
    }

    /** Asks with a short time-out, because a new connection costs less than a long wait. */
    ServerReply askWithShortTimeout(String command) throws IOException {
        put(command);
        flush();
        return readWithShortTimeout();
    }

    ServerReply greeting() throws IOException {
        return replies.read(timeouts.greeting(), mayWait);
    }

    ServerReply read() throws IOException {
        return replies.read(timeouts.command(), mayWait);
    }

    ServerReply readWithShortTimeout() throws IOException {
        return replies.read(timeouts.quick(), mayWait);
    }

    /**
     * Reads the reply to a completely written email. It is known nowhere else, so even a stop waits for it until its
     * last call, an interrupt. After that, the caller has only the time to record the other answers.
     */
    ServerReply readEnd() throws IOException {
        return replies.read(timeouts.end(), () -> {
            boolean lastCall = Thread.interrupted();
            boolean unused = !lastCall && mayWait.getAsBoolean();
            return !lastCall;
        });
    }

    boolean quiet() {
        try {
            return replies.quiet();
        } catch (IOException gone) {
            return false;
        }
    }

    /**
     * Closes the connection when the server has not taken the written bytes, or has not finished the TLS handshake, for
     * too long. Called by another thread.
     */
    void closeIfStuck() {
        if (longerThan(timeouts.write(), writingSince) || longerThan(timeouts.quick(), encryptingSince)) {
            stuck = true;
            hangUp();
        }
    }

    private boolean longerThan(Duration limit, @Nullable Duration since) {
        return since != null && time.elapsed().minus(since).compareTo(limit) > 0;
    }

    void hangUp() {
        SmtpSockets.hangUp(plain);
    }
}

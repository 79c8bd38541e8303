package org.azuremail.transport.smtp;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.azuremail.mail.Conversation;
import org.azuremail.mail.Conversation.Who;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Commands, mails and replies over one socket. Bytes that are put in go out together at the next {@link #flush}. Used by one
 * thread at a time, but for {@link #hangUp} and {@link #hangUpIfStuck}.
 */
final class SmtpWire {

    private static final byte[] DOT = ".\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Socket plain;
    private final SmtpTimeouts timeouts;
    private final Time time;
    private final Conversation conversation;
    private final SmtpBuffer unsent = new SmtpBuffer();
    private OutputStream out;
    private ReplyReader replies;
    private BooleanSupplier mayWait;
    private volatile @Nullable Duration writingSince;

    /**
     * @param plain what {@link #hangUp} closes: closing an encrypted socket waits for whoever writes to it
     * @param talking the same, or encrypted over it
     * @param mayWait see {@link #waitsWhile}
     */
    SmtpWire(
            Socket plain,
            Socket talking,
            SmtpTimeouts timeouts,
            BooleanSupplier mayWait,
            Time time,
            Conversation conversation)
            throws IOException {
        this.plain = plain;
        this.timeouts = timeouts;
        this.time = time;
        this.conversation = conversation;
        this.out = talking.getOutputStream();
        this.replies = new ReplyReader(talking, time, conversation);
        this.mayWait = mayWait;
    }

    /** Sets the supplier that is asked, every few seconds of waiting for an answer, whether to go on waiting. */
    void waitsWhile(BooleanSupplier allowed) {
        mayWait = allowed;
    }

    /** Goes on over an encrypted socket. Nothing that came before is an answer of the server that it proved to be. */
    void encrypt(SmtpSockets sockets) throws IOException {
        if (!replies.quiet()) {
            throw new IOException("more than an answer came before the encryption");
        }
        Socket encrypted = sockets.encrypt(plain);
        out = encrypted.getOutputStream();
        replies = new ReplyReader(encrypted, time, conversation);
    }

    /** @param command without line breaks */
    void put(String command) {
        conversation.add(Who.US, command);
        unsent.writeBytes((command + "\r\n").getBytes(StandardCharsets.UTF_8));
    }

    /** A mail with its dots doubled, but for the final one. */
    void putMail(byte[] mail) {
        conversation.add(Who.EMAIL, String.valueOf(mail.length));
        unsent.appendStuffed(mail);
    }

    /** Ends a mail. */
    void putDot() {
        unsent.writeBytes(DOT);
    }

    void flush() throws IOException {
        flush(0);
    }

    /** Sends what waits, but so many bytes at the end. */
    void flush(int held) throws IOException {
        writingSince = time.elapsed();
        unsent.writeTo(out, held);
        writingSince = null;
    }

    /** The number of bytes that wait. */
    int waiting() {
        return unsent.size();
    }

    ServerReply ask(String command) throws IOException {
        put(command);
        flush();
        return read();
    }

    /** Says what nobody may read afterwards. */
    ServerReply askSecretly(String before, String secret) throws IOException {
        conversation.hide(secret);
        return ask(before + secret);
    }

    /** Asks where a new connection costs less than to wait long for the answer. */
    ServerReply askQuickly(String command) throws IOException {
        put(command);
        flush();
        return readQuickly();
    }

    ServerReply greeting() throws IOException {
        return replies.read(timeouts.greeting(), mayWait);
    }

    ServerReply read() throws IOException {
        return replies.read(timeouts.command(), mayWait);
    }

    ServerReply readQuickly() throws IOException {
        return replies.read(timeouts.quick(), mayWait);
    }

    /** Reads the reply to an email that was written to its end: nobody else knows it, so the wait for it goes on in any case. */
    ServerReply readEnd() throws IOException {
        return replies.read(timeouts.end(), () -> {
            boolean unused = mayWait.getAsBoolean();
            return true;
        });
    }

    /** Returns whether the server says nothing that it was not asked for. */
    boolean quiet() {
        try {
            return replies.quiet();
        } catch (IOException gone) {
            return false;
        }
    }

    /** Closes the connection when the server has not taken what we write for so long; for another thread to call. */
    void hangUpIfStuck() {
        Duration since = writingSince;
        if (since != null && time.elapsed().minus(since).compareTo(timeouts.write()) > 0) {
            hangUp();
        }
    }

    void hangUp() {
        SmtpSockets.hangUp(plain);
    }
}

package org.azuremail.transport.smtp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * An SMTP server that does what a test tells it: answers with any code, hangs up or falls silent at any command. A
 * command is named by its beginning; {@code GREETING} is the connection itself, {@code .} the end of a mail. All other
 * commands are answered as by a good server.
 */
public final class ScriptedSmtpServer implements AutoCloseable {

    static final String HANG_UP = "hang up";
    static final String SILENCE = "silence";
    static final String NOTHING = "nothing";
    static final String HELD = "held ";

    /** The stage of the content: a server that is silent here leaves it unread. */
    public static final String BODY = "BODY";

    private final ServerSocket socket;
    private final Thread accepting;
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final List<String> recipients = new CopyOnWriteArrayList<>();
    private final List<String> commands = new CopyOnWriteArrayList<>();
    private final List<String> mails = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile String extensions = "";
    private volatile boolean cut;
    private volatile @Nullable SSLContext identity;
    private volatile String insteadOfTheHandshake = "";
    private volatile @Nullable Runnable drip;
    private volatile Runnable slow = () -> {};
    private volatile @Nullable Runnable endlessHandshake;

    private record Rule(String command, String reply, AtomicInteger uses, AtomicInteger skipped) {}

    public ScriptedSmtpServer() {
        try {
            socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        accepting = start("accept", this::accept);
    }

    public int port() {
        return socket.getLocalPort();
    }

    /** Answers the command in this way from now on. */
    public ScriptedSmtpServer reply(String command, String reply) {
        return rule(command, reply, Integer.MAX_VALUE);
    }

    /** Answers the next such command in this way, and later ones as usual. */
    public ScriptedSmtpServer replyOnce(String command, String reply) {
        return rule(command, reply, 1);
    }

    /** Answers one such command in this way, after a number of others of its kind. */
    public ScriptedSmtpServer replyAt(int place, String command, String reply) {
        rule(command, reply, 1);
        rules.get(0).skipped().set(place);
        return this;
    }

    /** Ends the connection at the next such command without an answer. */
    public ScriptedSmtpServer hangUpOnce(String command) {
        return rule(command, HANG_UP, 1);
    }

    /** Never answers such a command, and keeps the connection open. */
    public ScriptedSmtpServer fallSilent(String command) {
        return rule(command, SILENCE, Integer.MAX_VALUE);
    }

    /** Returns a reply that is sent only with the next one, so a client that waits for it alone waits forever. */
    public static String withTheNext(String reply) {
        return HELD + reply;
    }

    /** Sends every byte of a reply separately from now on. */
    public ScriptedSmtpServer cutReplies() {
        cut = true;
        return this;
    }

    /**
     * Sets the certificate that the server presents after STARTTLS. Without it, the client does not trust the server.
     */
    public ScriptedSmtpServer identity(SSLContext context) {
        identity = context;
        return this;
    }

    /** Sends the answer to the next email's end byte by byte. This runs before each byte. */
    public ScriptedSmtpServer dripTheNextEnd(Runnable beforeEachByte) {
        drip = beforeEachByte;
        return this;
    }

    /** Reads mails slowly: this runs before each megabyte. */
    ScriptedSmtpServer readSlowly(Runnable beforeEachMegabyte) {
        slow = beforeEachMegabyte;
        return this;
    }

    /** Sends these bytes instead of the server's handshake once the client has begun its own. */
    ScriptedSmtpServer insteadOfTheHandshake(String bytes) {
        insteadOfTheHandshake = bytes;
        return this;
    }

    /** Sends an endless handshake byte by byte once the client has begun its own. This runs before each byte. */
    ScriptedSmtpServer handshakeWithoutEnd(Runnable beforeEachByte) {
        endlessHandshake = beforeEachByte;
        return this;
    }

    private ScriptedSmtpServer rule(String command, String reply, int uses) {
        rules.add(0, new Rule(command, reply, new AtomicInteger(uses), new AtomicInteger()));
        return this;
    }

    /** Offers the extension, such as {@code AUTH PLAIN}. */
    public ScriptedSmtpServer offer(String extension) {
        extensions += "250-" + extension + "\r\n";
        return this;
    }

    /** Returns the addresses of the emails that were accepted, in order. */
    public List<String> recipients() {
        return List.copyOf(recipients);
    }

    /** Returns the texts between DATA and the final dot, without doubled dots. */
    public List<String> mails() {
        return List.copyOf(mails);
    }

    /** Returns all lines from clients except the emails. */
    public List<String> commands() {
        return List.copyOf(commands);
    }

    public int connections() {
        return connections.get();
    }

    /** Closes all connections, as a server does with idle ones. */
    public void hangUpOnAll() {
        open.forEach(ScriptedSmtpServer::close);
        open.clear();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            socket.close();
            // Until this returns, the system may still accept connections.
            accepting.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        hangUpOnAll();
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, "scripted-smtp-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                open.add(client);
                start("" + connections.incrementAndGet(), () -> converse(client));
            } catch (IOException stopped) {
                return;
            }
        }
    }

    private void converse(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            new ScriptedConversation(this, client).run();
        } catch (IOException gone) {
            // The client hung up, or the test ended.
        }
    }

    /** Returns the reply of the newest rule that matches and is not used up, or else the usual one. */
    String replyTo(String command, String usual) {
        for (Rule rule : rules) {
            if (command.startsWith(rule.command())
                    && rule.skipped().getAndDecrement() <= 0
                    && rule.uses().getAndDecrement() > 0) {
                return rule.reply();
            }
        }
        return usual;
    }

    void heard(String command) {
        commands.add(command);
    }

    void mail(String content) {
        mails.add(content);
    }

    void took(String recipient) {
        recipients.add(recipient);
    }

    String extensions() {
        return extensions;
    }

    boolean cutsReplies() {
        return cut;
    }

    /** Returns the action that {@link #dripTheNextEnd} asked for, once. */
    @Nullable
    Runnable drip() {
        Runnable asked = drip;
        drip = null;
        return asked;
    }

    Runnable slow() {
        return slow;
    }

    String insteadOfTheHandshake() {
        return insteadOfTheHandshake;
    }

    @Nullable
    Runnable endlessHandshake() {
        return endlessHandshake;
    }

    @Nullable
    SSLContext identity() {
        return identity;
    }

    /** Waits until the server is closed. */
    void awaitEnd() {
        try {
            closed.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}

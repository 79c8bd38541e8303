package org.azuremail.transport.smtp;

import com.icegreen.greenmail.util.DummySSLServerSocketFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An SMTP server that does what a test tells it: answers with any code, hangs up or falls silent at any command. A
 * command is named by its beginning; {@code GREETING} is the connection itself, {@code .} the end of a mail. What nobody
 * named is answered as by a good server.
 */
public final class ScriptedSmtpServer implements AutoCloseable {

    private static final String HANG_UP = "hang up";
    private static final String SILENCE = "silence";
    private static final String NOTHING = "nothing";
    private static final String HELD = "held ";

    /** Where the mail itself comes: silence here leaves it unread. */
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

    private record Rule(String command, String reply, AtomicInteger uses) {}

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

    /** From now on the command is answered like this. */
    public ScriptedSmtpServer reply(String command, String reply) {
        return rule(command, reply, Integer.MAX_VALUE);
    }

    /** The next such command is answered like this, those after it as usual. */
    public ScriptedSmtpServer replyOnce(String command, String reply) {
        return rule(command, reply, 1);
    }

    /** The next such command ends the connection without an answer. */
    public ScriptedSmtpServer hangUpOnce(String command) {
        return rule(command, HANG_UP, 1);
    }

    /** Such a command is never answered, and the connection stays open. */
    public ScriptedSmtpServer fallSilent(String command) {
        return rule(command, SILENCE, Integer.MAX_VALUE);
    }

    /** A reply that goes out with the next one only: who waits for it waits in vain. */
    public static String withTheNext(String reply) {
        return HELD + reply;
    }

    /** From now on every byte of a reply travels alone. */
    public ScriptedSmtpServer cutReplies() {
        cut = true;
        return this;
    }

    /** Talks on over TLS after STARTTLS, as who the context says; else it is somebody whom nobody trusts. */
    public ScriptedSmtpServer identity(SSLContext context) {
        identity = context;
        return this;
    }

    private ScriptedSmtpServer rule(String command, String reply, int uses) {
        rules.add(0, new Rule(command, reply, new AtomicInteger(uses)));
        return this;
    }

    /** Offers the extension, as {@code AUTH PLAIN}. */
    public ScriptedSmtpServer offer(String extension) {
        extensions += "250-" + extension + "\r\n";
        return this;
    }

    /** To whom mails were taken, in order. */
    public List<String> recipients() {
        return List.copyOf(recipients);
    }

    /** What came between DATA and the final dot, as it was before its dots were doubled. */
    public List<String> mails() {
        return List.copyOf(mails);
    }

    /** Everything that was said to us but for the mails. */
    public List<String> commands() {
        return List.copyOf(commands);
    }

    public int connections() {
        return connections.get();
    }

    /** Hangs up on everybody, as a server does with connections at rest. */
    public void hangUpOnAll() {
        open.forEach(ScriptedSmtpServer::close);
        open.clear();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            socket.close();
            // Until it returns, the system may still take connections for it.
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
            new Conversation(client).run();
        } catch (IOException gone) {
            // The client hung up, or the test ended.
        }
    }

    /** What to answer: the newest rule that fits and is not used up, else as usual. */
    private String replyTo(String command, String usual) {
        for (Rule rule : rules) {
            if (command.startsWith(rule.command()) && rule.uses().getAndDecrement() > 0) {
                return rule.reply();
            }
        }
        return usual;
    }

    private static SSLContext untrusted() {
        try {
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(new DummySSLServerSocketFactory().getKeyStore(), "changeit".toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Conversation {

        private Socket client;
        private BufferedReader in;
        private OutputStream out;
        private String held = "";
        private boolean begun;
        private String recipient = "";

        Conversation(Socket client) throws IOException {
            this.client = client;
            this.in = reader(client);
            this.out = client.getOutputStream();
        }

        private static BufferedReader reader(Socket socket) throws IOException {
            return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
        }

        void run() throws IOException {
            if (!say(replyTo("GREETING", "220 scripted"))) {
                return;
            }
            for (String command = in.readLine(); command != null; command = in.readLine()) {
                commands.add(command);
                if (!handle(command)) {
                    return;
                }
            }
        }

        /** False when the conversation is over. */
        private boolean handle(String command) throws IOException {
            String verb = command.split("[ :]", 2)[0];
            return switch (verb) {
                case "EHLO" -> say(replyTo(command, "250-scripted\r\n" + extensions + "250 OK"));
                case "STARTTLS" -> startTls();
                case "AUTH" -> say(replyTo(command, "235 2.7.0 Ok"));
                case "MAIL" -> mail(command);
                case "RCPT" -> rcpt(command);
                case "DATA" ->
                    data(replyTo(command, recipient.isEmpty() ? "503 5.5.1 nobody to mail" : "354 go ahead"));
                case "RSET" -> reset() && say(replyTo(command, "250 2.0.0 Ok"));
                case "QUIT" -> say(replyTo(command, "221 bye")) && false;
                default -> say(replyTo(command, "250 2.0.0 Ok"));
            };
        }

        private boolean mail(String command) throws IOException {
            String reply = replyTo(command, begun ? "503 5.5.1 nested MAIL command" : "250 2.0.0 Ok");
            begun |= reply.contains("250");
            return say(reply);
        }

        private boolean rcpt(String command) throws IOException {
            String reply = replyTo(command, begun ? "250 2.1.5 Ok" : "503 5.5.1 need MAIL command");
            if (reply.contains("250")) {
                recipient = command.substring(command.indexOf('<') + 1, command.indexOf('>'));
            }
            return say(reply);
        }

        private boolean reset() {
            begun = false;
            recipient = "";
            return true;
        }

        private boolean startTls() throws IOException {
            if (!say(replyTo("STARTTLS", "220 2.0.0 Ready"))) {
                return false;
            }
            SSLContext known = identity;
            SSLSocket encrypted = (SSLSocket)
                    (known == null ? untrusted() : known).getSocketFactory().createSocket(client, null, port(), true);
            encrypted.setUseClientMode(false);
            encrypted.startHandshake();
            client = encrypted;
            in = reader(encrypted);
            out = encrypted.getOutputStream();
            return known != null;
        }

        private boolean data(String goAhead) throws IOException {
            if (!goAhead.startsWith("354")) {
                return say(goAhead);
            }
            if (!say(goAhead) || !say(replyTo(BODY, NOTHING))) {
                return false;
            }
            StringBuilder mail = new StringBuilder();
            for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
                if (line == null) {
                    return false;
                }
                mail.append(line.startsWith(".") ? line.substring(1) : line).append("\r\n");
            }
            mails.add(mail.toString());
            String usual = recipient.isEmpty() ? "554 5.5.1 nobody to mail" : "250 2.0.0 Ok: queued as " + recipient;
            String reply = replyTo(".", usual);
            if (!reply.matches("[45](?s:.*)")) {
                recipients.add(recipient);
            }
            reset();
            return say(reply);
        }

        boolean say(String reply) throws IOException {
            if (reply.equals(SILENCE)) {
                awaitEnd();
            }
            if (reply.equals(NOTHING)) {
                return true;
            }
            if (reply.equals(SILENCE) || reply.equals(HANG_UP)) {
                return false;
            }
            if (reply.startsWith(HELD)) {
                held += reply.substring(HELD.length()) + "\r\n";
                return true;
            }
            write((held + reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
            held = "";
            return !reply.startsWith("421");
        }

        private void write(byte[] bytes) throws IOException {
            int piece = cut ? 1 : bytes.length;
            for (int i = 0; i < bytes.length; i += piece) {
                out.write(bytes, i, piece);
                out.flush();
            }
        }

        private void awaitEnd() {
            try {
                closed.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

package org.azuremail.transport.smtp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The conversation of an SMTP server on a socket of this machine. A {@link Taker} handles the emails. */
public final class LoopbackSmtp implements AutoCloseable {

    /** The answer of a {@link Taker} to an email that it accepted. */
    public static final String OK = "250 Ok";

    /** The answer of a {@link Taker} that cuts the connection off instead. */
    public static final String HANG_UP = "";

    private static final String SUBJECT = "Subject: ";

    /** Handles each email while it arrives. Each connection has a thread of its own. */
    @FunctionalInterface
    public interface Taker {

        /**
         * Reads the email, or ignores it.
         *
         * @return the server's reply, or {@link #HANG_UP}
         */
        String take(Arriving mail) throws IOException, InterruptedException;
    }

    /** An email whose content the client may send. */
    public static final class Arriving {

        private final String recipient;
        private final BufferedReader in;

        private Arriving(String recipient, BufferedReader in) {
            this.recipient = recipient;
            this.in = in;
        }

        public String recipient() {
            return recipient;
        }

        /**
         * Reads the email to its end.
         *
         * @return its subject
         * @throws IOException if the connection is cut off
         */
        public String read() throws IOException {
            String subject = "";
            for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
                if (line == null) {
                    throw new IOException("cut off");
                }
                if (subject.isEmpty() && line.startsWith(SUBJECT)) {
                    subject = line.substring(SUBJECT.length());
                }
            }
            return subject;
        }
    }

    private final ServerSocket socket;
    private final Taker taker;

    public LoopbackSmtp(Taker taker) throws IOException {
        this.taker = taker;
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    public int port() {
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, "loopback-smtp-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                start("client", () -> converse(client));
            } catch (IOException stopped) {
                return;
            }
        }
    }

    private void converse(Socket client) {
        try (client;
                BufferedReader in = new BufferedReader(
                        new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1))) {
            OutputStream out = client.getOutputStream();
            say(out, "220 loopback");
            String recipient = "";
            for (String command = in.readLine(); command != null; command = in.readLine()) {
                if (command.startsWith("RCPT")) {
                    recipient = command.substring(command.indexOf('<') + 1, command.indexOf('>'));
                }
                String reply = command.startsWith("QUIT") ? "221 bye" : OK;
                if (command.startsWith("DATA")) {
                    say(out, "354 go ahead");
                    reply = taker.take(new Arriving(recipient, in));
                }
                if (reply.equals(HANG_UP)) {
                    client.setSoLinger(true, 0);
                    return;
                }
                say(out, reply);
            }
        } catch (IOException gone) {
            // The client hung up or was killed.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void say(OutputStream out, String reply) throws IOException {
        out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}

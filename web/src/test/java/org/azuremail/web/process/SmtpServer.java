package org.azuremail.web.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The conversation of an SMTP server that takes every mail; what it does with one is somebody else's. */
final class SmtpServer implements AutoCloseable {

    private static final String SUBJECT = "Subject: ";

    /** Gets a mail that came completely; it is answered when this returns. */
    @FunctionalInterface
    interface Taker {
        void take(String subject, String recipient) throws InterruptedException;
    }

    private final ServerSocket socket;
    private final Taker taker;

    SmtpServer(Taker taker) throws IOException {
        this.taker = taker;
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    int port() {
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
        Thread thread = new Thread(task, "smtp-server-" + name);
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
            say(out, "220 sink");
            String recipient = "";
            for (String command = in.readLine(); command != null; command = in.readLine()) {
                if (command.startsWith("RCPT")) {
                    recipient = command.substring(command.indexOf('<') + 1, command.indexOf('>'));
                }
                if (command.startsWith("DATA")) {
                    say(out, "354 go ahead");
                    taker.take(subject(in), recipient);
                }
                say(out, command.startsWith("QUIT") ? "221 bye" : "250 Ok");
            }
        } catch (IOException gone) {
            // The client hung up or was killed.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads the mail to its end. */
    private static String subject(BufferedReader in) throws IOException {
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

    private static void say(OutputStream out, String reply) throws IOException {
        out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}

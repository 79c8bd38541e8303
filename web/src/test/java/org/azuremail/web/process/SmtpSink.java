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
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An SMTP server that takes every mail, slowly, and remembers for whom it was. It can fall silent in the middle: a mail
 * that came after that counts as taken, but its answer waits until the server is let go on.
 */
final class SmtpSink implements AutoCloseable {

    private static final long MILLIS_PER_MAIL = 5;

    private final ServerSocket socket;
    private final List<String> taken = new CopyOnWriteArrayList<>();
    private final AtomicInteger answeredAtOnce;
    private final CountDownLatch silent = new CountDownLatch(1);
    private final CountDownLatch goingOn = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param answeredAtOnce mails after which it falls silent */
    SmtpSink(int answeredAtOnce) throws IOException {
        this.answeredAtOnce = new AtomicInteger(answeredAtOnce);
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    /** The recipient of every mail that came completely, in their order. */
    List<String> taken() {
        return List.copyOf(taken);
    }

    /** Waits until the first mail stays without an answer. */
    boolean awaitSilence(long seconds) throws InterruptedException {
        return silent.await(seconds, TimeUnit.SECONDS);
    }

    void goOn() {
        goingOn.countDown();
    }

    @Override
    public void close() {
        closed.countDown();
        goOn();
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(String name, Runnable task) {
        Thread thread = new Thread(task, "smtp-sink-" + name);
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
                    take(in, recipient);
                }
                say(out, command.startsWith("QUIT") ? "221 bye" : "250 Ok");
            }
        } catch (IOException gone) {
            // The client hung up or was killed.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(BufferedReader in, String recipient) throws IOException, InterruptedException {
        for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
            if (line == null) {
                throw new IOException("cut off");
            }
        }
        taken.add(recipient);
        closed.await(MILLIS_PER_MAIL, TimeUnit.MILLISECONDS);
        if (answeredAtOnce.getAndDecrement() <= 0) {
            silent.countDown();
            goingOn.await();
        }
    }

    private static void say(OutputStream out, String reply) throws IOException {
        out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}

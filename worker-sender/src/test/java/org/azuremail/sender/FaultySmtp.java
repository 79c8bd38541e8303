package org.azuremail.sender;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/** An SMTP server on a real socket that does something wrong with one mail of many, and counts what it took. */
final class FaultySmtp implements AutoCloseable {

    private final ServerSocket socket;
    private final FaultyTaker taker;
    private final CountDownLatch closed = new CountDownLatch(1);

    FaultySmtp(FaultyTaker taker) throws IOException {
        this.taker = taker;
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(task, "faulty-smtp");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                start(() -> converse(client));
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
            say(out, "220 faulty");
            String recipient = "";
            for (String command = in.readLine(); command != null; command = in.readLine()) {
                if (command.startsWith("RCPT")) {
                    recipient = command.substring(command.indexOf('<') + 1, command.indexOf('>'));
                }
                if (!command.startsWith("DATA")) {
                    say(out, command.startsWith("QUIT") ? "221 bye" : "250 Ok");
                } else if (!take(client, in, out, recipient)) {
                    return;
                }
            }
        } catch (IOException gone) {
            // The client hung up.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** @return whether the connection is any good afterwards */
    private boolean take(Socket client, BufferedReader in, OutputStream out, String recipient)
            throws IOException, InterruptedException {
        FaultyTaker.Fault fault = taker.next();
        say(out, "354 go ahead");
        if (fault == FaultyTaker.Fault.HANGS_UP_BEFORE) {
            client.setSoLinger(true, 0);
            return false;
        }
        for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
            if (line == null) {
                throw new IOException("cut off");
            }
        }
        switch (fault) {
            case LATER, LATER_AT_A_TIME -> say(out, "451 4.3.0 come again later");
            case FAILS -> say(out, "554 5.6.0 not like this");
            case HANGS_UP_AFTER -> taker.took(recipient);
            case STALLS -> {
                taker.took(recipient);
                closed.await();
            }
            default -> {
                taker.took(recipient);
                say(out, "250 Ok");
            }
        }
        return fault != FaultyTaker.Fault.HANGS_UP_AFTER && fault != FaultyTaker.Fault.STALLS;
    }

    private static void say(OutputStream out, String reply) throws IOException {
        out.write((reply + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }
}

package org.azuremail.transport.smtp;

import com.icegreen.greenmail.util.DummySSLServerSocketFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The conversation of a {@link ScriptedSmtpServer} on one connection. */
final class ScriptedConversation {

    private static final int LINES_OF_A_MEGABYTE = 13_000;

    private final ScriptedSmtpServer server;
    private Socket client;
    private BufferedReader in;
    private OutputStream out;
    private String held = "";
    private boolean begun;
    private String recipient = "";

    ScriptedConversation(ScriptedSmtpServer server, Socket client) throws IOException {
        this.server = server;
        this.client = client;
        this.in = reader(client);
        this.out = client.getOutputStream();
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    void run() throws IOException {
        if (!say(server.replyTo("GREETING", "220 scripted"))) {
            return;
        }
        for (String command = in.readLine(); command != null; command = in.readLine()) {
            server.heard(command);
            if (!handle(command)) {
                return;
            }
        }
    }

    /** Handles a command, and returns false when the conversation is over. */
    private boolean handle(String command) throws IOException {
        String verb = command.split("[ :]", 2)[0];
        return switch (verb) {
            case "EHLO" -> say(server.replyTo(command, "250-scripted\r\n" + server.extensions() + "250 OK"));
            case "STARTTLS" -> startTls();
            case "AUTH" -> say(server.replyTo(command, "235 2.7.0 Ok"));
            case "MAIL" -> mail(command);
            case "RCPT" -> rcpt(command);
            case "DATA" ->
                data(server.replyTo(command, recipient.isEmpty() ? "503 5.5.1 nobody to mail" : "354 go ahead"));
            case "RSET" -> reset() && say(server.replyTo(command, "250 2.0.0 Ok"));
            case "QUIT" -> say(server.replyTo(command, "221 bye")) && false;
            default -> say(server.replyTo(command, "250 2.0.0 Ok"));
        };
    }

    private boolean mail(String command) throws IOException {
        String reply = server.replyTo(command, begun ? "503 5.5.1 nested MAIL command" : "250 2.0.0 Ok");
        begun |= reply.contains("250");
        return say(reply);
    }

    private boolean rcpt(String command) throws IOException {
        String reply = server.replyTo(command, begun ? "250 2.1.5 Ok" : "503 5.5.1 need MAIL command");
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
        if (!say(server.replyTo("STARTTLS", "220 2.0.0 Ready"))) {
            return false;
        }
        if (!server.insteadOfTheHandshake().isEmpty()) {
            client.getInputStream().read();
            write(server.insteadOfTheHandshake().getBytes(StandardCharsets.UTF_8));
            client.getInputStream().transferTo(OutputStream.nullOutputStream());
            return false;
        }
        Runnable endless = server.endlessHandshake();
        if (endless != null) {
            return handshakeWithoutEnd(endless);
        }
        SSLContext known = server.identity();
        SSLSocket encrypted = (SSLSocket) (known == null ? untrusted() : known)
                .getSocketFactory()
                .createSocket(client, null, server.port(), true);
        encrypted.setUseClientMode(false);
        encrypted.startHandshake();
        client = encrypted;
        in = reader(encrypted);
        out = encrypted.getOutputStream();
        return known != null;
    }

    /** Begins a record of the longest length, for the rest of which the client waits. */
    private boolean handshakeWithoutEnd(Runnable beforeEachByte) throws IOException {
        byte[] head = client.getInputStream().readNBytes(5);
        client.getInputStream().readNBytes((head[3] & 255) << 8 | head[4] & 255);
        out.write(new byte[] {22, 3, 3, 0x40, 0});
        for (int i = 0; i < 0x4000; i++) {
            beforeEachByte.run();
            out.write(2);
            out.flush();
        }
        return false;
    }

    private boolean data(String goAhead) throws IOException {
        if (!goAhead.startsWith("354")) {
            return say(goAhead);
        }
        if (!say(goAhead) || !say(server.replyTo(ScriptedSmtpServer.BODY, ScriptedSmtpServer.NOTHING))) {
            return false;
        }
        StringBuilder mail = new StringBuilder();
        int lines = 0;
        for (String line = in.readLine(); !".".equals(line); line = in.readLine()) {
            if (line == null) {
                return false;
            }
            if (++lines % LINES_OF_A_MEGABYTE == 0) {
                server.slow().run();
            }
            mail.append(line.startsWith(".") ? line.substring(1) : line).append("\r\n");
        }
        server.mail(mail.toString());
        String usual = recipient.isEmpty() ? "554 5.5.1 nobody to mail" : "250 2.0.0 Ok: queued as " + recipient;
        String reply = server.replyTo(".", usual);
        if (!reply.matches("[45](?s:.*)")) {
            server.took(recipient);
        }
        reset();
        Runnable drip = server.drip();
        return drip == null ? say(reply) : drip(reply, drip);
    }

    private boolean drip(String reply, Runnable beforeEachByte) throws IOException {
        for (byte one : (reply + "\r\n").getBytes(StandardCharsets.UTF_8)) {
            beforeEachByte.run();
            out.write(one);
            out.flush();
        }
        return true;
    }

    boolean say(String reply) throws IOException {
        if (reply.equals(ScriptedSmtpServer.SILENCE)) {
            server.awaitEnd();
        }
        if (reply.equals(ScriptedSmtpServer.NOTHING)) {
            return true;
        }
        if (reply.equals(ScriptedSmtpServer.SILENCE) || reply.equals(ScriptedSmtpServer.HANG_UP)) {
            return false;
        }
        if (reply.startsWith(ScriptedSmtpServer.HELD)) {
            held += reply.substring(ScriptedSmtpServer.HELD.length()) + "\r\n";
            return true;
        }
        write((held + reply + "\r\n").getBytes(StandardCharsets.UTF_8));
        held = "";
        return !reply.startsWith("421");
    }

    private void write(byte[] bytes) throws IOException {
        int piece = server.cutsReplies() ? 1 : bytes.length;
        for (int i = 0; i < bytes.length; i += piece) {
            out.write(bytes, i, piece);
            out.flush();
        }
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
}

package org.azuremail.watcher.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.azuremail.watcher.WatcherKind.WatcherException;
import org.junit.jupiter.api.AfterEach;

/** A mailbox on a real server, and servers that a test scripts. */
abstract class OnMailbox {

    static final String[] TRUSTING = {"ssl.trust", "*", "ssl.checkserveridentity", "false"};
    static final String LETTER = "From: a@example.org\nSubject: %s\n\nHello\n";

    final MailServer server = new MailServer();
    final List<String> taken = new ArrayList<>();
    MailboxTurns turns = new MailboxTurns(server.settings("imap", "none"), 0);

    @AfterEach
    void close() {
        turns.close();
        server.close();
    }

    void begin(Map<String, String> settings, int idle, String... more) {
        turns.close();
        turns = new MailboxTurns(settings, idle, more);
    }

    boolean take(byte[] message) {
        taken.add(new String(message, StandardCharsets.UTF_8));
        return true;
    }

    void assertFails(MailboxReason reason) {
        assertThatThrownBy(() -> turns.turn(this::take))
                .isExactlyInstanceOf(WatcherException.class)
                .isInstanceOfSatisfying(WatcherException.class, failed -> assertThat(
                                failed.reason().is(reason))
                        .as(failed.reason().toString())
                        .isTrue());
    }

    static Map<String, String> at(String protocol, String security, ServerSocket other) {
        return at(protocol, security, other.getLocalPort());
    }

    static Map<String, String> at(String protocol, String security, int port) {
        return new java.util.HashMap<>(Map.of(
                "protocol",
                protocol,
                "security",
                security,
                "host",
                "localhost",
                "port",
                String.valueOf(port),
                "username",
                "me",
                "done",
                "delete"));
    }

    /** The behaviour of a server on one connection. */
    interface Answers {
        void to(Socket socket) throws IOException;
    }

    static ServerSocket answering(Answers answers) throws IOException {
        ServerSocket other = new ServerSocket(0);
        Thread thread = new Thread(() -> {
            while (!other.isClosed()) {
                try (Socket socket = other.accept()) {
                    answers.to(socket);
                } catch (IOException gone) {
                    // The client or the test hung up.
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return other;
    }
}

package org.azuremail.watcher.mailbox;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.azuremail.watcher.WatcherKind.PermanentWatcherException;
import org.azuremail.watcher.WatcherKind.WatcherException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks turns that fail: refused passwords, missing folders, and servers that do not answer or answer nonsense. */
class MailboxFailureIT extends OnMailbox {

    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void aWrongPasswordIsTriedSomeTimesAndThenAPersonIsNeeded(String protocol) {
        begin(server.settings(protocol, "none"), 0);
        turns.password("wrong");
        for (int refusals = 1; refusals < 6; refusals++) {
            assertFails(MailboxReason.MAILBOX_PASSWORD);
        }
        assertThatThrownBy(() -> turns.turn(this::take)).isInstanceOf(PermanentWatcherException.class);
        turns.restarted();
        assertFails(MailboxReason.MAILBOX_PASSWORD);
    }

    /** Gmail has no response code for too many connections, and Exchange has none for anything. */
    @ParameterizedTest
    @CsvSource({
        "imap, [ALERT] Too many simultaneous connections. (Failure)",
        "imap, LOGIN failed.",
        "pop3, Too many simultaneous connections"
    })
    void aPasswordThatWorkedIsNotGivenUpWithoutAResponseCode(String protocol, String words) throws Exception {
        Map<String, String> settings = server.settings(protocol, "none");
        begin(settings, 0);
        turns.turn(this::take);
        try (ServerSocket other = answering(socket -> refuse(protocol, words, socket))) {
            Map<String, String> full = new HashMap<>(settings);
            full.put("port", String.valueOf(other.getLocalPort()));
            turns.settings(full);
            for (int refusals = 0; refusals < 8; refusals++) {
                assertFails(MailboxReason.MAILBOX_REFUSED);
            }
            turns.settings(settings);
            turns.turn(this::take);
            turns.settings(full);
            turns.password("another");
            assertFails(MailboxReason.MAILBOX_PASSWORD);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "imap, [AUTHENTICATIONFAILED] Invalid credentials, MAILBOX_PASSWORD",
        "imap, [EXPIRED] Password expired, MAILBOX_PASSWORD",
        "pop3, [AUTH] Username and password not accepted., MAILBOX_PASSWORD",
        "imap, [UNAVAILABLE] Try again, MAILBOX_BUSY",
        "imap, [LIMIT] Too many, MAILBOX_BUSY",
        "pop3, [IN-USE] Locked, MAILBOX_BUSY",
        "pop3, [SYS/TEMP] Try again, MAILBOX_BUSY"
    })
    void aResponseCodeDecidesWhateverWorkedBefore(String protocol, String words, MailboxReason reason)
            throws Exception {
        Map<String, String> settings = server.settings(protocol, "none");
        begin(settings, 0);
        turns.turn(this::take);
        try (ServerSocket other = answering(socket -> refuse(protocol, words, socket))) {
            settings.put("port", String.valueOf(other.getLocalPort()));
            turns.settings(settings);
            assertFails(reason);
        }
    }

    /** Refuses the sign-in with these words. */
    private static void refuse(String protocol, String words, Socket socket) throws IOException {
        boolean imap = protocol.equals("imap");
        OutputStream out = socket.getOutputStream();
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        String answer = imap ? "* OK" : "+OK";
        for (String line = ""; line != null; line = in.readLine()) {
            String[] parts = line.split(" ");
            if (imap && !line.isEmpty()) {
                answer = parts[1].equals("CAPABILITY")
                        ? "* CAPABILITY IMAP4rev1\r\n" + parts[0] + " OK done"
                        : parts[0] + (parts[1].equals("LOGIN") ? " NO " + words : " OK done");
            } else if (!line.isEmpty()) {
                answer = switch (parts[0]) {
                    case "CAPA" -> "+OK\r\nUIDL\r\n.";
                    case "PASS" -> "-ERR " + words;
                    default -> "+OK";
                };
            }
            out.write((answer + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    @Test
    void anOutageBeforeARefusalIsNoRefusal() throws Exception {
        Map<String, String> right = server.settings("imap", "none");
        Map<String, String> away = new HashMap<>(right);
        away.put("port", "1");
        begin(away, 0);
        for (int turn = 0; turn < 6; turn++) {
            assertFails(MailboxReason.MAILBOX_UNREACHABLE);
        }
        turns.settings(right);
        turns.password("wrong");
        for (int refusals = 1; refusals < 4; refusals++) {
            assertFails(MailboxReason.MAILBOX_PASSWORD);
        }
        turns.settings(away);
        assertFails(MailboxReason.MAILBOX_UNREACHABLE);
        turns.settings(right);
        for (int refusals = 1; refusals < 6; refusals++) {
            assertFails(MailboxReason.MAILBOX_PASSWORD);
        }
        assertThatThrownBy(() -> turns.turn(this::take)).isInstanceOf(PermanentWatcherException.class);
    }

    /** A proxy whose server is away often accepts connections and hangs up. The account is not in danger. */
    @ParameterizedTest
    @CsvSource({"imap, 0", "imap, 1", "imap, 2", "pop3, 0", "pop3, 1", "pop3, 2", "pop3, 3"})
    void aServerThatHangsUpDoesNotRefuseThePassword(String protocol, int answered) throws Exception {
        try (ServerSocket other = answering(socket -> hangUpAfter(answered, protocol, socket))) {
            begin(at(protocol, "none", other), 0);
            for (int turn = 0; turn < 7; turn++) {
                assertFails(MailboxReason.MAILBOX_BROKE);
            }
        }
    }

    /** Greets and answers commands, together this many times. */
    private static void hangUpAfter(int answers, String protocol, Socket socket) throws IOException {
        boolean imap = protocol.equals("imap");
        OutputStream out = socket.getOutputStream();
        BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        for (int i = 0; i < answers; i++) {
            String line = i == 0 ? "* OK" : in.readLine();
            String answer = imap
                    ? (i == 0 ? "* OK" : "* CAPABILITY IMAP4rev1\r\n" + line.split(" ")[0] + " OK done")
                    : line.equals("CAPA") ? "+OK\r\nUIDL\r\n." : "+OK";
            out.write((answer + "\r\n").getBytes(StandardCharsets.US_ASCII));
        }
        if (answers > 0) {
            in.readLine();
        }
    }

    @Test
    void aFolderThatIsNotThereIsNamed() {
        Map<String, String> settings = server.settings("imap", "none");
        settings.put("folder", "Elsewhere");
        begin(settings, 0);
        assertFails(MailboxReason.MAILBOX_NO_FOLDER);
    }

    @Test
    void noServerAndNoHostAndNoAnswer() throws Exception {
        ServerSocket other = new ServerSocket(0);
        Map<String, String> settings = at("imap", "tls", other);
        other.close();
        begin(settings, 0);
        assertFails(MailboxReason.MAILBOX_UNREACHABLE);
        settings.put("host", "nobody.invalid");
        begin(settings, 0);
        assertFails(MailboxReason.MAILBOX_NO_HOST);
        try (ServerSocket silent = answering(socket -> socket.getInputStream().readAllBytes())) {
            begin(at("imap", "none", silent), 0, "timeout", "300");
            assertFails(MailboxReason.MAILBOX_SILENT);
        }
    }

    @ParameterizedTest
    @CsvSource({"imap, tls", "imap, none", "pop3, tls", "pop3, none"})
    void nonsenseSilenceAndHangUpsEndTheTurn(String protocol, String security) throws Exception {
        byte[] noise = new byte[200_000];
        new Random(3).nextBytes(noise);
        List<Answers> servers = List.of(
                socket -> {},
                socket -> socket.getOutputStream().write(noise),
                socket -> socket.getOutputStream()
                        .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8)),
                socket -> socket.getInputStream().readAllBytes());
        for (Answers answers : servers) {
            try (ServerSocket other = answering(answers)) {
                begin(at(protocol, security, other), 0, "timeout", "300");
                assertThatThrownBy(() -> turns.turn(this::take)).isInstanceOf(WatcherException.class);
            }
        }
    }
}

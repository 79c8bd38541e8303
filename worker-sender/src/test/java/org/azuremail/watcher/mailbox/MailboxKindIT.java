package org.azuremail.watcher.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.mail.InboundMailParser;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.watcher.WatcherKind.PermanentWatcherException;
import org.azuremail.watcher.WatcherKind.WatcherException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Mailboxes on a real server, and on servers that are none. */
class MailboxKindIT {

    private static final String[] TRUSTING = {"ssl.trust", "*", "ssl.checkserveridentity", "false"};
    private static final String LETTER = "From: a@example.org\nSubject: %s\n\nHello\n";

    private final MailServer server = new MailServer();
    private final List<String> taken = new ArrayList<>();
    private MailboxTurns turns = new MailboxTurns(server.settings("imap", "none"), 0);

    @AfterEach
    void close() {
        turns.close();
        server.close();
    }

    private void begin(Map<String, String> settings, int idle, String... more) {
        turns.close();
        turns = new MailboxTurns(settings, idle, more);
    }

    private boolean take(byte[] message) {
        taken.add(new String(message, StandardCharsets.UTF_8));
        return true;
    }

    @ParameterizedTest
    @CsvSource({"imap, none", "imap, tls", "pop3, none", "pop3, tls"})
    void eachMessageIsReadOnceAndThenMovedOrDeleted(String protocol, String security) throws Exception {
        begin(server.settings(protocol, security), 0, TRUSTING);
        server.deliver(LETTER.formatted("one"));
        server.deliver(LETTER.formatted("two"));
        assertThat(turns.turn(this::take)).isEqualTo(Reason.of(MailboxReason.MAILBOX_BOUNCES, 2, 0));
        assertThat(taken).hasSize(2).allMatch(text -> text.endsWith("\r\n\r\nHello\r\n"));
        assertThat(taken.get(0)).contains("Subject: one");
        assertThat(server.count("INBOX")).isZero();
        assertThat(server.count("Processed")).isEqualTo(protocol.equals("imap") ? 2 : 0);
        assertThat(turns.turn(this::take))
                .as("the last news stay")
                .isEqualTo(Reason.of(MailboxReason.MAILBOX_BOUNCES, 2, 0));
        assertThat(taken).hasSize(2);
        assertThat(turns.rest()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void imapDeletesWhereItIsToldTo() throws Exception {
        Map<String, String> settings = server.settings("imap", "none");
        settings.put("done", "delete");
        begin(settings, 0);
        server.deliver(LETTER.formatted("one"));
        turns.turn(this::take);
        assertThat(server.count("INBOX") + server.count("Processed")).isZero();
    }

    @Test
    void anEmptyMailboxSaysSo() throws Exception {
        assertThat(turns.turn(this::take)).isEqualTo(Reason.of(MailboxReason.MAILBOX_EMPTY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void aCertificateThatNobodyVouchesForIsRefused(String protocol) {
        begin(server.settings(protocol, "tls"), 0);
        assertFails(MailboxReason.MAILBOX_CERTIFICATE);
        begin(
                at(
                        protocol,
                        "tls",
                        Integer.parseInt(server.settings(protocol, "none").get("port"))),
                0);
        assertFails(MailboxReason.MAILBOX_TLS);
    }

    /** The certificate is checked as well, unless it is said to be trusted. */
    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void aServerWithStarttlsIsReadEncrypted(String protocol) throws Exception {
        try (StartTlsDoor door = new StartTlsDoor(
                Integer.parseInt(server.settings(protocol, "none").get("port")))) {
            begin(at(protocol, "starttls", door.port()), 0);
            assertFails(MailboxReason.MAILBOX_CERTIFICATE);
            Map<String, String> settings = server.settings(protocol, "none");
            settings.put("security", "starttls");
            settings.put("port", String.valueOf(door.port()));
            begin(settings, 0, TRUSTING);
            server.deliver(LETTER.formatted("one"));
            assertThat(turns.turn(this::take)).isEqualTo(Reason.of(MailboxReason.MAILBOX_BOUNCES, 1, 0));
            assertThat(turns.test(this::take).is(MailboxReason.MAILBOX_READS)).isTrue();
            assertThat(door.heardBefore()).containsPattern("STARTTLS|STLS").doesNotContain(MailServer.PASSWORD);
        }
        assertThat(taken).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void aTestSaysWhatTheServerAnswersAndChangesNothing(String protocol) throws Exception {
        begin(server.settings(protocol, "tls"), 0, TRUSTING);
        server.deliver(LETTER.formatted("one"));
        assertThat(turns.test(this::take)).isEqualTo(Reason.of(MailboxReason.MAILBOX_READS, "localhost", "INBOX", 1));
        assertThat(server.count("INBOX")).isOne();
        assertThat(server.hasFolder("Processed")).isFalse();
        turns.password("wrong");
        assertThatThrownBy(() -> turns.test(this::take))
                .isInstanceOfSatisfying(WatcherException.class, failed -> assertThat(
                                failed.reason().is(MailboxReason.MAILBOX_PASSWORD))
                        .isTrue());
    }

    /** A server may repeat what it was told. */
    @Test
    void noPasswordIsInTheWordsOfAServer() throws Exception {
        try (ServerSocket other = answering(socket -> echo(socket))) {
            begin(at("imap", "none", other), 0);
            assertThatThrownBy(() -> turns.test(this::take))
                    .isInstanceOfSatisfying(WatcherException.class, failed -> assertThat(
                                    failed.reason().words())
                            .contains("cannot take …")
                            .doesNotContain(MailServer.PASSWORD));
        }
    }

    private static void echo(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write("* OK ready\r\n".getBytes(StandardCharsets.US_ASCII));
        var in = new java.io.BufferedReader(new java.io.InputStreamReader(socket.getInputStream()));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String tag = line.split(" ")[0];
            String answer = line.contains("CAPABILITY")
                    ? "* CAPABILITY IMAP4rev1\r\n" + tag + " OK done\r\n"
                    : tag + " NO cannot take " + MailServer.PASSWORD + "\r\n";
            out.write(answer.getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** No password leaves without encryption where the settings ask for it. */
    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void aServerWithoutStarttlsIsRefused(String protocol) throws Exception {
        StringBuffer heard = new StringBuffer();
        try (ServerSocket other = answering(socket -> converse(socket, protocol, heard))) {
            begin(at(protocol, "starttls", other), 0);
            assertFails(MailboxReason.MAILBOX_TLS);
        }
        assertThat(heard.toString())
                .isNotEmpty()
                .doesNotContain(MailServer.PASSWORD)
                .doesNotContain("AUTH");
    }

    private static void converse(Socket socket, String protocol, StringBuffer heard) throws IOException {
        boolean imap = protocol.equals("imap");
        OutputStream out = socket.getOutputStream();
        out.write((imap ? "* OK ready\r\n" : "+OK ready\r\n").getBytes(StandardCharsets.US_ASCII));
        var in = new java.io.BufferedReader(new java.io.InputStreamReader(socket.getInputStream()));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            heard.append(line).append('\n');
            String tag = line.split(" ")[0];
            String answer = imap
                    ? "* CAPABILITY IMAP4rev1\r\n" + tag + " OK done\r\n"
                    : line.equals("CAPA") ? "+OK\r\nUIDL\r\n.\r\n" : "+OK\r\n";
            out.write(answer.getBytes(StandardCharsets.US_ASCII));
        }
    }

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

    @Test
    void aFolderThatIsNotThereIsNamed() {
        Map<String, String> settings = server.settings("imap", "none");
        settings.put("folder", "Elsewhere");
        begin(settings, 0);
        assertFails(MailboxReason.MAILBOX_NO_FOLDER);
    }

    private void assertFails(MailboxReason reason) {
        assertThatThrownBy(() -> turns.turn(this::take))
                .isExactlyInstanceOf(WatcherException.class)
                .isInstanceOfSatisfying(WatcherException.class, failed -> assertThat(
                                failed.reason().is(reason))
                        .as(failed.reason().toString())
                        .isTrue());
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

    private static Map<String, String> at(String protocol, String security, ServerSocket other) {
        return at(protocol, security, other.getLocalPort());
    }

    private static Map<String, String> at(String protocol, String security, int port) {
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

    /** The behaviour of a server on a connection. */
    private interface Answers {
        void to(Socket socket) throws IOException;
    }

    private static ServerSocket answering(Answers answers) throws IOException {
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

    /** 50 MB, many levels of parts, no headers, nulls, nothing at all. */
    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void oddMessagesAreTakenToo(String protocol) throws Exception {
        begin(server.settings(protocol, "none"), 0);
        StringBuilder deep = new StringBuilder("Content-Type: multipart/mixed; boundary=b0\n\n");
        for (int level = 1; level < 2000; level++) {
            deep.append("--b")
                    .append(level - 1)
                    .append("\nContent-Type: multipart/mixed; boundary=b")
                    .append(level)
                    .append("\n\n");
        }
        server.deliver("Subject: large\n\n" + ("x".repeat(76) + "\n").repeat(50 * 1024 * 1024 / 77));
        server.deliver(deep.toString());
        server.deliver("no headers, just this");
        server.deliver("Subject: nulls\0\0\n\n\0\0\0");
        server.deliver(LETTER.formatted("the last one"));
        turns.turn(this::take);
        assertThat(taken).hasSize(5).allMatch(text -> text.length() <= InboundMailParser.MAX_BYTES);
        assertThat(taken.get(0)).startsWith("Subject: large").hasSizeGreaterThan(100_000);
        assertThat(taken.get(4)).contains("the last one");
        assertThat(server.count("INBOX")).isZero();
    }

    @Test
    void aStopEndsTheTurnAfterTheMessageThatIsUnderWay() throws Exception {
        for (int i = 0; i < 10; i++) {
            server.deliver(LETTER.formatted(i));
        }
        turns.turn("one", this::take, () -> taken.size() == 4);
        assertThat(taken).hasSize(4);
        assertThat(server.count("INBOX")).isEqualTo(6);
        turns.turn(this::take);
        assertThat(taken).hasSize(10).doesNotHaveDuplicates();
    }

    /** Messages that were taken before a failure are marked; the others come again. */
    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void aMessageWhoseEffectIsNotStoredComesAgain(String protocol) throws Exception {
        begin(server.settings(protocol, "none"), 0);
        for (int i = 0; i < 5; i++) {
            server.deliver(LETTER.formatted(i));
        }
        AtomicInteger at = new AtomicInteger();
        assertThatThrownBy(() -> turns.turn(message -> {
                    if (at.incrementAndGet() == 3) {
                        throw new StorageException(StorageException.Reason.UNAVAILABLE, "storage", null);
                    }
                    return take(message);
                }))
                .isInstanceOf(StorageException.class);
        assertThat(server.count("INBOX")).isEqualTo(protocol.equals("imap") ? 3 : 5);
        turns.turn(this::take);
        assertThat(taken.stream().distinct()).hasSize(5);
        assertThat(server.count("INBOX")).isZero();
    }

    @Test
    void theServerTellsOfNewMessages() throws Exception {
        begin(server.settings("imap", "tls"), 1, TRUSTING);
        turns.turn(this::take);
        assertThat(turns.rest()).isEqualTo(Duration.ofMinutes(25));
        assertThat(turns.waiting()).isOne();
        assertThat(turns.woken()).isEmpty();
        await().atMost(Duration.ofMinutes(1))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> told(() -> server.deliver(LETTER.formatted("one"))));
        assertThat(turns.woken()).containsOnly(Duration.ofSeconds(5));
        await().atMost(Duration.ofMinutes(1)).until(() -> turns.waiting() == 0);
        int delivered = server.count("INBOX");
        turns.turn(this::take);
        assertThat(taken).hasSize(delivered);
        turns.leave("one");
        assertThat(turns.waiting()).isZero();
        int before = await("whoever was told before is awake")
                .pollDelay(Duration.ofSeconds(2))
                .until(() -> turns.woken().size(), size -> true);
        server.deliver(LETTER.formatted("two"));
        await("nobody is woken who has left")
                .during(Duration.ofSeconds(2))
                .atMost(Duration.ofMinutes(1))
                .until(() -> turns.woken().size() == before);
    }

    /**
     * This test's server tells nobody of an email that arrives between the last command and the wait, so one may not be enough.
     */
    private boolean told(Runnable delivery) {
        if (turns.woken().isEmpty()) {
            delivery.run();
            return false;
        }
        return true;
    }

    /** However many mailboxes there are, few have a connection and a thread. */
    @Test
    void theOthersAreReadAtTheirIntervals() throws Exception {
        begin(server.settings("imap", "none"), 2);
        for (int i = 0; i < 5; i++) {
            turns.turn("mailbox" + i, this::take, () -> false);
            assertThat(turns.rest()).isEqualTo(Duration.ofMinutes(i < 2 ? 25 : 5));
        }
        assertThat(turns.waiting()).isEqualTo(2);
    }

    @Test
    void aConnectionThatBreaksWhileItWaitsIsReadAgainAtTheInterval() throws Exception {
        begin(server.settings("imap", "none"), 1);
        turns.turn(this::take);
        server.close();
        await().atMost(Duration.ofMinutes(1)).until(() -> !turns.woken().isEmpty());
        assertThat(turns.woken()).containsExactly(Duration.ofMinutes(5));
    }
}

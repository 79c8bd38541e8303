package org.azuremail.watcher.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.azuremail.reason.Reason;
import org.azuremail.watcher.WatcherKind.WatcherException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that mailboxes are read encrypted as their settings ask, and that no password leaks. */
class MailboxSecurityIT extends OnMailbox {

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

    /** The certificate is checked as well, unless a setting trusts it. */
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

    /** A server may repeat what the client sent. */
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

    /** No password is sent without encryption if the settings require encryption. */
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
}

package org.azuremail.watcher.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.azuremail.mail.InboundMailParser;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.watcher.WatcherKind.WatcherException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that each message of a mailbox on a real server is read once, whatever it contains. */
class MailboxKindIT extends OnMailbox {

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

    /** The messages have 50 MB, many levels of parts, no headers, null bytes, or no text. */
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

    /** Messages that were handled before a failure are marked. The others are read again. */
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
}

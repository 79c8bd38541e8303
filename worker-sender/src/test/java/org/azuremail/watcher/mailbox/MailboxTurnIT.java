package org.azuremail.watcher.mailbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.azuremail.reason.Reason;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks mailboxes that a test server fills, damages and counts as no real server would. */
class MailboxTurnIT {

    private static final String LETTER = "From: a@example.org\nSubject: %s\n\nHello\n";

    private final List<String> taken = new ArrayList<>();

    private boolean take(byte[] message) {
        return taken.add(new String(message, StandardCharsets.US_ASCII));
    }

    /** The messages of the first turn are large: all of them together must never be in memory. */
    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void aFullMailboxIsReadInTurnsOfBoundedSize(String protocol) throws Exception {
        int messages = 10_000;
        int perTurn = 500;
        String large = ("x".repeat(76) + "\n").repeat(3_000);
        try (ScriptedMailbox full = new ScriptedMailbox(
                        protocol, messages, number -> LETTER.formatted(number) + (number <= perTurn ? large : ""));
                MailboxTurns turns = new MailboxTurns(full.settings(), 0)) {
            long before = usedMemory();
            AtomicLong grown = new AtomicLong();
            Set<String> subjects = new HashSet<>();
            List<Reason> results = new ArrayList<>();
            do {
                results.add(turns.turn(message -> {
                    subjects.add(new String(message, 0, Math.min(message.length, 50), StandardCharsets.US_ASCII));
                    if (subjects.size() == perTurn) {
                        grown.set(usedMemory() - before);
                    }
                    return true;
                }));
            } while (turns.rest().isZero());
            assertThat(results)
                    .hasSize(messages / perTurn)
                    .containsOnly(Reason.of(MailboxReason.MAILBOX_BOUNCES, perTurn, 0));
            assertThat(subjects).hasSize(messages);
            assertThat(full.handedOut()).isEqualTo(messages);
            assertThat(full.count()).isZero();
            assertThat(full.moved()).hasSize(protocol.equals("imap") ? messages : 0);
            assertThat(grown.get())
                    .as("%,d bytes were read", (long) perTurn * large.length())
                    .isLessThan(16 * 1024 * 1024);
        }
    }

    private static long usedMemory() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    /**
     * The letters that the server withholds stay first permanently. The others are still read, and the server is not
     * polled without a pause.
     */
    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void messagesThatTheServerDoesNotHandOutStopNobody(String protocol) throws Exception {
        try (ScriptedMailbox damaged = new ScriptedMailbox(protocol, 1_300, LETTER::formatted);
                MailboxTurns turns = new MailboxTurns(damaged.settings(), 0)) {
            damaged.withhold(700);
            turns.turn(this::take);
            assertThat(taken).hasSize(500);
            assertThat(turns.rest()).isZero();
            turns.turn(this::take);
            assertThat(taken).hasSize(600).doesNotHaveDuplicates();
            assertThat(damaged.count()).isEqualTo(700);
            assertThat(turns.rest()).isEqualTo(Duration.ofMinutes(5));
            turns.turn(this::take);
            assertThat(taken).hasSize(600);
            assertThat(turns.rest()).isEqualTo(Duration.ofMinutes(5));
        }
    }

    /** A stranger may have sent letters that cause unforeseen errors. The others are still read. */
    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void messagesThatBreakTheProgramStayAndKeepNobodyBack(String protocol) throws Exception {
        try (ScriptedMailbox mailbox = new ScriptedMailbox(protocol, 5, LETTER::formatted);
                MailboxTurns turns = new MailboxTurns(mailbox.settings(), 0)) {
            Function<byte[], Boolean> poisoned = message -> {
                String text = new String(message, StandardCharsets.US_ASCII);
                if (text.contains("Subject: 1")) {
                    throw new IllegalArgumentException("no row can hold this");
                }
                if (text.contains("Subject: 3")) {
                    throw new StackOverflowError();
                }
                return take(message);
            };

            for (int turn = 0; turn < 2; turn++) {
                Reason result = turns.turn(poisoned);
                assertThat(result.is(MailboxReason.MAILBOX_UNREADABLE)).isTrue();
                assertThat(result.text(0)).isEqualTo("2");
                assertThat(result.cause(1)).isEqualTo(Reason.of(MailboxReason.MAILBOX_BOUNCES, 3, 0));
                assertThat(turns.rest()).isEqualTo(Duration.ofMinutes(5));
                assertThat(taken).hasSize(3).doesNotHaveDuplicates();
                assertThat(mailbox.count()).isEqualTo(2);
            }
            turns.turn(this::take);
            assertThat(mailbox.count()).isZero();
        }
    }

    /** The mail library still counts messages that were moved, but not those that were deleted. */
    @ParameterizedTest
    @ValueSource(strings = {"move", "delete"})
    void messagesThatATurnMarkedAreNoNews(String done) throws Exception {
        try (ScriptedMailbox mailbox = new ScriptedMailbox("imap", 3, LETTER::formatted);
                MailboxTurns turns = new MailboxTurns(mailbox.settings(), 1)) {
            mailbox.withhold(1);
            Map<String, String> settings = mailbox.settings();
            settings.put("done", done);
            turns.settings(settings);
            turns.turn(this::take);
            assertThat(mailbox.count()).isOne();
            await("it waits, or gives up waiting")
                    .until(() -> mailbox.awaited() || !turns.woken().isEmpty());
            assertThat(turns.woken()).isEmpty();
            mailbox.deliver();
            await().until(() -> !turns.woken().isEmpty());
            assertThat(turns.woken()).containsExactly(Duration.ofSeconds(5));
        }
    }
}

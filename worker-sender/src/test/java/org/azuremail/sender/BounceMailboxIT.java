package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.feedback.BounceProcessor;
import org.azuremail.feedback.EmailFinder;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.list.ListName;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageRef;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.azuremail.watcher.WatcherKind;
import org.azuremail.watcher.mailbox.MailServer;
import org.azuremail.watcher.mailbox.MailboxTurns;
import org.azuremail.watcher.mailbox.ScriptedMailbox;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks a mailbox for bounces on a real server, and processes that die while they read it. */
class BounceMailboxIT {

    private static final int RECIPIENTS = 6;
    private static final int LETTERS = 51;
    private static final String BOUNCE = """
            From: MAILER-DAEMON@example.net
            To: <%s>
            Subject: failure notice
            Date: Thu, 1 Jan 2026 11:00:00 +0000

            <somebody@example.net>:
            %s

            --- Below this line is a copy of the message.
            """;
    private static final String GONE = "Sorry, no mailbox here by that name. (#5.1.1)";
    private static final String FULL = "The mailbox is full. (#5.2.2)";
    private static final String LETTER = "From: a@example.org\nSubject: Hello\n\nHow are you?\n";

    private final MailServer server = new MailServer();
    private SimulatedWorld world = new SimulatedWorld();
    private final Map<String, String> returnPaths = new TreeMap<>();

    @AfterEach
    void close() {
        server.close();
    }

    private void list() {
        world = new SimulatedWorld();
        world.list("contoso1", RECIPIENTS, 0);
    }

    private MessageRef send() {
        MessageRef ref = world.message(new ListName("contoso1"), OnUnknown.HOLD);
        world.transport.answer((mail, attempt) -> {
            returnPaths.put(mail.to().address().value(), String.valueOf(mail.returnPath()));
            return new Answer.Accepted("id");
        });
        world.runToEnd();
        return ref;
    }

    private void bounces(int recipient, String words) {
        server.deliver(bounce(recipient, words));
    }

    private String bounce(int recipient, String words) {
        return BOUNCE.formatted(returnPaths.get(address(recipient)), words);
    }

    private static String address(int number) {
        return "v%02d@contoso1.test".formatted(number);
    }

    private Optional<SuppressionReason> why(int number) {
        return world.process.suppressions.findReason(new EmailAddress(address(number)));
    }

    private OutcomeCounts counts(MessageRef ref) {
        return world.process.control.progress(world.find(ref)).counts();
    }

    private static BounceProcessor reports(SimulatedWorld world, SimulatedProcess process) {
        return new BounceProcessor(
                new FeedbackProperties("bounces@example.org", 0.05, 0.003, 100),
                process.handles,
                new EmailFinder(process.handles, process.messageStore, process.deliveries, process.search),
                process.recorder,
                world.time);
    }

    @Test
    void aBounceIsStoredBesideSent() throws Exception {
        list();
        MessageRef ref = send();
        bounces(1, GONE);
        bounces(2, FULL);
        server.deliver(LETTER);
        try (MailboxTurns turns = new MailboxTurns(server.settings("imap", "none"), 0)) {
            assertThat(turns.bounces(reports(world, world.process)).words())
                    .isEqualTo("2 bounces recorded, and 1 other message");
            Faults counted = Faults.none();
            turns.bounces(reports(world, world.restart(counted)));
            assertThat(counted.calls()).as("nothing new").isZero();
        }
        assertThat(counts(ref)).isEqualTo(new OutcomeCounts(RECIPIENTS, 0, 0, 0, 2, 0));
        assertThat(why(1)).contains(SuppressionReason.SUPPRESSED_BOUNCE);
        assertThat(why(2)).isEmpty();
        assertThat(server.count("Processed")).isEqualTo(3);
    }

    /**
     * Returns a mailbox that reports one address that does not exist and two full mailboxes. Letters are marked in
     * groups of fifty, so the last report is marked apart from the others.
     */
    private ScriptedMailbox reported(String protocol) throws IOException {
        return new ScriptedMailbox(protocol, LETTERS, number -> switch (number) {
            case 1 -> bounce(1, GONE);
            case 2 -> bounce(2, FULL);
            case LETTERS -> bounce(3, FULL);
            default -> LETTER;
        });
    }

    /** The connection ends at each command in turn, before the command is done or before its answer. */
    @ParameterizedTest
    @CsvSource({"imap, false", "imap, true", "pop3, false", "pop3, true"})
    void theConnectionMayEndAtEveryCommand(String protocol, boolean whenDone) throws Exception {
        boolean cut = true;
        for (int at = 1; cut; at++) {
            list();
            MessageRef ref = send();
            try (ScriptedMailbox mailbox = reported(protocol)) {
                mailbox.cutAt(at, whenDone);
                read(mailbox, world.process);
                cut = mailbox.wasCut();
                read(mailbox, world.process);
                assertEachCountedOnce(mailbox, ref, protocol + " cut at command " + at);
            }
        }
    }

    /**
     * The first process dies at each storage call in turn, and its connection with it. Then another process continues.
     */
    @ParameterizedTest
    @CsvSource({"imap, DIES_BEFORE", "imap, DIES_AFTER", "pop3, DIES_BEFORE", "pop3, DIES_AFTER"})
    void everyStorageCallMayGoWrongOnce(String protocol, Faults.Mode mode) throws Exception {
        boolean struck = true;
        for (int at = 1; struck; at++) {
            list();
            MessageRef ref = send();
            try (ScriptedMailbox mailbox = reported(protocol)) {
                Faults faults = new Faults(mode, at, mailbox::hangUp);
                read(mailbox, world.restart(faults));
                struck = faults.calls() >= at;
                assertThat(mailbox.count() > 0).as("the dead mark nothing").isEqualTo(struck);
                world.restart();
                read(mailbox, world.process);
                assertEachCountedOnce(mailbox, ref, protocol + " " + mode + " at call " + at);
            }
        }
    }

    private void read(ScriptedMailbox mailbox, SimulatedProcess process) throws Exception {
        try (MailboxTurns turns = new MailboxTurns(mailbox.settings(), 0)) {
            turns.bounces(reports(world, process));
        } catch (WatcherKind.WatcherException | ProcessDied | StorageException cutOff) {
            // The next turn continues.
        }
    }

    private void assertEachCountedOnce(ScriptedMailbox mailbox, MessageRef ref, String when) {
        world.process.look();
        assertThat(mailbox.count()).as(when).isZero();
        assertThat(mailbox.moved()).as(when).doesNotHaveDuplicates();
        assertThat(counts(ref)).as(when).isEqualTo(new OutcomeCounts(RECIPIENTS, 0, 0, 0, 3, 0));
        assertThat(why(1)).as(when).contains(SuppressionReason.SUPPRESSED_BOUNCE);
        assertThat(why(2)).as(when + ": it counts once").isEmpty();
        assertThat(why(3)).as(when + ": it counts once").isEmpty();
    }

    /** A process that dies before it marks reports reads them again. Three soft bounces would suppress the address. */
    @ParameterizedTest
    @ValueSource(strings = {"imap", "pop3"})
    void aSoftBounceCountsOnceHoweverOftenItIsRead(String protocol) throws Exception {
        list();
        try (MailboxTurns turns = new MailboxTurns(server.settings(protocol, "none"), 0)) {
            for (int message = 0; message < 3; message++) {
                assertThat(why(2)).isEmpty();
                send();
                for (int copy = 0; copy < 4; copy++) {
                    bounces(2, FULL);
                }
                turns.bounces(reports(world, world.process));
            }
        }
        assertThat(why(2)).contains(SuppressionReason.SUPPRESSED_SOFT_BOUNCES);
    }
}

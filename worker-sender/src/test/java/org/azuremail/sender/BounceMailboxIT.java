package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.azuremail.feedback.BounceReports;
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
import org.azuremail.suppression.SuppressionReason;
import org.azuremail.watcher.mailbox.MailServer;
import org.azuremail.watcher.mailbox.MailboxTurns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A mailbox for bounces on a real server, and processes that die while they read it. */
class BounceMailboxIT {

    private static final int RECIPIENTS = 6;
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
        server.deliver(BOUNCE.formatted(returnPaths.get(address(recipient)), words));
    }

    private static String address(int number) {
        return "v%02d@contoso1.test".formatted(number);
    }

    private Optional<SuppressionReason> why(int number) {
        return world.process.suppressions.why(new EmailAddress(address(number)));
    }

    private OutcomeCounts counts(MessageRef ref) {
        return world.process.control.progress(world.find(ref)).counts();
    }

    private static BounceReports reports(SimulatedWorld world, SimulatedProcess process) {
        return new BounceReports(
                new FeedbackProperties("bounces@example.org", 0.05, 0.003, 100),
                process.handles,
                new EmailFinder(process.handles, process.messageStore, process.deliveries, process.search),
                process.intake,
                world.time);
    }

    @Test
    void whatComesBackStandsBesideSent() throws Exception {
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

    /** The first process dies at each storage call in turn, and another one goes on. */
    @ParameterizedTest
    @EnumSource(
            value = Faults.Mode.class,
            names = {"DIES_BEFORE", "DIES_AFTER"})
    void everyStorageCallMayGoWrongOnce(Faults.Mode mode) throws Exception {
        boolean struck = true;
        for (int at = 1; struck; at++) {
            list();
            MessageRef ref = send();
            bounces(1, GONE);
            bounces(2, FULL);
            Faults faults = new Faults(mode, at, () -> {});
            try (MailboxTurns turns = new MailboxTurns(server.settings("imap", "none"), 0)) {
                try {
                    turns.bounces(reports(world, world.restart(faults)));
                } catch (ProcessDied | StorageException gone) {
                    assertThat(server.count("INBOX")).isPositive();
                }
                struck = faults.calls() >= at;
                world.restart();
                turns.bounces(reports(world, world.process));
            }
            world.process.look();
            assertThat(server.count("INBOX")).isZero();
            assertThat(counts(ref)).as(mode + " at call " + at).isEqualTo(new OutcomeCounts(RECIPIENTS, 0, 0, 0, 2, 0));
            assertThat(why(1)).contains(SuppressionReason.SUPPRESSED_BOUNCE);
            assertThat(why(2)).as("it counts once").isEmpty();
        }
    }

    /** Copies of the same report, as when a process dies before it marks them: three soft bounces would suppress. */
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

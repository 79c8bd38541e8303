package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MergedMail;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.watcher.WatcherKind;
import org.azuremail.watcher.mailbox.MailboxTurns;
import org.azuremail.watcher.mailbox.ScriptedMailbox;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that emails of people in a mailbox on a real server are forwarded once, whatever fails. */
class ReplyMailboxIT extends OnReplyMailbox {

    @Test
    void onlyRepliesOfPeopleAreForwardedAndOnlyOnce() throws Exception {
        sent();
        for (int copy = 0; copy < 2; copy++) {
            letter(
                    "jo@mail.test",
                    "news@contoso.edu",
                    "=?utf-8?q?Gr=C3=BC=C3=9Fe?=\n  {{name}}",
                    "",
                    "Hello <b>you</b> {{name}}");
        }
        letter("a@mail.test", "news@contoso.edu", "Away", "Auto-Submitted: auto-replied\n", "");
        letter("b@mail.test", "news@contoso.edu", "Digest", "Precedence: bulk\n", "");
        assertThat(read()).isEqualTo("Nobody unsubscribed, 2 emails forwarded, and 2 other messages");
        forward();
        assertThat(forwarded).hasSize(1);
        MailLot lot = forwarded.get(0);
        assertThat(lot.mails().get(0).to().address().value()).isEqualTo("office@contoso.edu");
        assertThat(lot.content().from().name()).isEqualTo("Jo Doe");
        assertThat(lot.content().from().address().value()).doesNotContain("jo@");
        assertThat(String.valueOf(lot.content().replyTo())).contains("jo@mail.test");
        MergedMail merged = MergedMail.of(lot.content(), lot.mails().get(0));
        assertThat(merged.subject()).isEqualTo("Grüße {{name}}");
        assertThat(merged.text()).startsWith("Hello <b>you</b> {{name}}");
        assertThat(merged.html()).contains("Hello &lt;b&gt;you&lt;/b&gt; {{name}}");
        assertThat(merged.headers()).contains(new MergedMail.Header("X-Loop", "lists.contoso.edu"));
        letter(
                "jo@mail.test",
                "news@contoso.edu",
                "=?utf-8?q?Gr=C3=BC=C3=9Fe?=\n  {{name}}",
                "",
                "Hello <b>you</b> {{name}}");
        read();
        forward();
        assertThat(forwarded).as("read again much later").hasSize(1);
    }

    @Test
    void aReplyOfWhichNobodyKnowsWhetherItWasForwardedIsRepeatedOnce() throws Exception {
        aQuestionIsRead();
        answer = new Answer.Unknown(Reason.ofText("500"));

        forward();

        assertThat(forwarded).hasSize(2);
        assertThat(forwarded.get(1).mails()).isEqualTo(forwarded.get(0).mails());
    }

    @Test
    void aReplyThatTheServerPostponesForFiveDaysIsGivenUp() throws Exception {
        aQuestionIsRead();
        answer = new Answer.RetryAfter(Duration.ofMinutes(1), "451 4.7.1 greylisted");

        forward(Duration.ofHours(13));
        assertThat(forwarded).hasSize(10);

        forward(Duration.ofHours(13));
        assertThat(forwarded)
                .as("the eleventh look, after 130 hours, is the last one")
                .hasSize(11);
    }

    @Test
    void aReplyThatTheServerPostponesIsForwardedLaterAndLessAndLessOften() throws Exception {
        aQuestionIsRead();
        answer = new Answer.RetryAfter(Duration.ofMinutes(1), "451 4.7.1 greylisted");

        forward();
        assertThat(forwarded).as("after 0, 2, 4, 8 and 16 minutes").hasSize(5);

        answer = new Answer.Accepted("id");
        forward();
        assertThat(forwarded).hasSize(6);
    }

    private void aQuestionIsRead() throws Exception {
        sent();
        letter("jo@mail.test", "news@contoso.edu", "Question", "", "Who are you?");
        read();
    }

    private void comesBack(MailLot lot) {
        MergedMail merged = MergedMail.of(lot.content(), lot.mails().get(0));
        String headers = merged.headers().stream()
                .map(header -> header.name() + ": " + header.value() + "\n")
                .collect(Collectors.joining());
        letter("news@contoso.edu", "news@contoso.edu", merged.subject(), headers, merged.text());
    }

    @Test
    void aForwardedReplyThatComesBackStaysAndIsReported() throws Exception {
        aQuestionIsRead();
        forward();
        comesBack(forwarded.get(0));
        letter("al@mail.test", "news@contoso.edu", "Another", "", "And you?");
        assertThat(read())
                .startsWith("1 email that was forwarded came back to this mailbox and stays there.")
                .endsWith("Nobody unsubscribed, 1 email forwarded");
        forward();
        assertThat(forwarded).hasSize(2);
        assertThat(server.count("INBOX")).isOne();
        assertThat(server.count("Processed")).isEqualTo(2);
    }

    @Test
    void aReplyWhoseListIsDeletedStaysAndIsReported() throws Exception {
        sent();
        letter("jo@mail.test", "news@contoso.edu", "Question", "", "Who are you?");
        letter("a@mail.test", leaveAddress(1), "", "", "");
        Map<String, String> settings = settings(server.settings("imap", "none"));
        settings.put("list", "deleted1");
        try (MailboxTurns turns = new MailboxTurns(settings, 0)) {
            assertThat(turns.turn(replies(turns, world.process, world.storage.storage()))
                            .words())
                    .startsWith("1 email could not be forwarded, because the list of this watcher no longer exists")
                    .endsWith("1 request to unsubscribe, nothing forwarded");
        }
        assertThat(server.count("INBOX")).isOne();
        assertThat(read()).isEqualTo("Nobody unsubscribed, 1 email forwarded");
    }

    /**
     * Each installation recognises an email that it forwarded itself, even if another one has forwarded it since. A
     * long chain ends.
     */
    @Test
    void installationsThatForwardToEachOtherStop() throws Exception {
        sent();
        letter("jo@mail.test", "news@contoso.edu", "Question", "", "Who are you?");
        readAt(URI.create("https://a.example"));
        comesBack(forwarded.get(0));
        assertThat(readAt(URI.create("https://b.example"))).contains("1 email forwarded");
        comesBack(forwarded.get(1));
        assertThat(readAt(URI.create("https://a.example"))).contains("came back");
        for (int more = 2; more < 5; more++) {
            assertThat(readAt(URI.create("https://c%d.example".formatted(more))))
                    .contains("1 email forwarded");
            assertThat(forwarded).hasSize(more + 1);
            comesBack(forwarded.get(more));
        }
        assertThat(readAt(URI.create("https://d.example"))).contains("came back");
        assertThat(forwarded).hasSize(5);
    }

    @ParameterizedTest
    @CsvSource({"'', true", "Replies@contoso.edu, true", "office@contoso.edu, false"})
    void aListWithoutAReplyAddressElsewhereNeedsAnAddressToForwardTo(String replyTo, boolean needed) {
        sent();
        Versioned<MailingList> list = world.process.lists.find(LIST).orElseThrow();
        world.process.lists.update(
                Lists.with(list.value(), "replyTo", EmailAddress.parse(replyTo).orElse(null)), list.etag());
        Map<String, String> settings = settings(server.settings("imap", "none"));
        settings.put("username", "replies@contoso.edu");
        try (MailboxTurns turns = new MailboxTurns(settings, 0)) {
            WatcherKind kind = replies(turns, world.process, world.storage.storage());
            assertThat(kind.faults(settings)).isEmpty();
            settings.remove("forwardTo");
            Map<String, String> faults = needed ? Map.of("forwardTo", "mailbox-forward-to-missing") : Map.of();
            assertThat(kind.faults(settings)).isEqualTo(faults);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "jo@mail.test, 'Content-Transfer-Encoding: 8-bit\nContent-Type: text/plain', Hello",
        "jo@mail.test, 'Content-Transfer-Encoding: base64\nContent-Type: text/plain', 'No, plain text!'",
        "'\"Doe, Jo\" <jo@mail.test', 'Content-Type: text/plain', Hello",
        "nobody at all, 'Content-Type: text/plain', Hello"
    })
    void anOddReplyIsForwardedNevertheless(String from, String headers, String text) throws Exception {
        sent();
        server.deliver("From: %s\nTo: news@contoso.edu\nSubject: Question\n%s\n\n%s\n"
                .formatted(from, headers.replace("\\n", "\n"), text));
        assertThat(read()).isEqualTo("Nobody unsubscribed, 1 email forwarded");
        forward();
        assertThat(forwarded).hasSize(1);
        MailLot lot = forwarded.get(0);
        assertThat(MergedMail.of(lot.content(), lot.mails().get(0)).text()).contains(text);
        assertThat(lot.content().from().name()).isNotBlank();
    }

    /**
     * At each storage call in turn, the process dies, and its connection with it, or the answer is lost. Then another
     * process continues.
     */
    @ParameterizedTest
    @EnumSource(
            value = Faults.Mode.class,
            names = {"DIES_BEFORE", "DIES_AFTER", "ANSWER_LOST"})
    void everyStorageCallMayGoWrongOnce(Faults.Mode mode) throws Exception {
        boolean struck = true;
        for (int at = 1; struck; at++) {
            sent();
            try (ScriptedMailbox mailbox = written()) {
                Faults faults = new Faults(mode, at, mailbox::hangUp);
                SimulatedProcess process = world.restart(faults);
                readPerhaps(mailbox, process, faults.around(world.storage.storage()));
                struck = faults.calls() >= at;
                if (struck && mode.dies()) {
                    assertThat(mailbox.moved()).as("the dead mark nothing").isEmpty();
                }
                world.restart();
                readPerhaps(mailbox, world.process, world.storage.storage());
                forward();
                assertEachHandledOnce(mailbox, mode + " at call " + at);
            }
        }
    }

    /** The connection ends at each command in turn, before it is done or before its answer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theConnectionMayEndAtEveryCommand(boolean whenDone) throws Exception {
        boolean cut = true;
        for (int at = 1; cut; at++) {
            sent();
            try (ScriptedMailbox mailbox = written()) {
                mailbox.cutAt(at, whenDone);
                readPerhaps(mailbox, world.process, world.storage.storage());
                cut = mailbox.wasCut();
                readPerhaps(mailbox, world.process, world.storage.storage());
                forward();
                assertEachHandledOnce(mailbox, "cut at command " + at);
            }
        }
    }

    /** A person who unsubscribes, and a person who asks a question. */
    private ScriptedMailbox written() throws IOException {
        String leaves = leaveAddress(1);
        return new ScriptedMailbox(
                "imap",
                2,
                number -> number == 1
                        ? written("another@mail.test", leaves, "", "", "")
                        : written("jo@mail.test", "news@contoso.edu", "Question", "", "Who are you?"));
    }

    private void readPerhaps(ScriptedMailbox mailbox, SimulatedProcess process, Storage storage) throws Exception {
        try {
            read(mailbox.settings(), process, storage);
        } catch (WatcherKind.WatcherException | ProcessDied | StorageException cutOff) {
            // The next turn continues.
        }
    }

    private void assertEachHandledOnce(ScriptedMailbox mailbox, String when) {
        assertThat(subscribed()).as(when).containsExactly(0, 2, 3);
        assertThat(forwarded).as(when).hasSize(1);
        assertThat(mailbox.count()).as(when).isZero();
        assertThat(mailbox.moved()).as(when).containsExactlyInAnyOrder(1, 2);
    }

    @ParameterizedTest
    @CsvSource({"'\"quoted\\\"', x@', 'x'", "'', ''", "'a@b, c@d', '\0'"})
    void oddSendersDoNoHarm(String from, String subject) throws Exception {
        sent();
        server.deliver("From: %s\nSubject: %s\n\nHi".formatted(from, subject));
        read();
        assertThat(subscribed()).hasSize(RECIPIENTS);
        assertThat(server.count("INBOX")).isZero();
    }
}

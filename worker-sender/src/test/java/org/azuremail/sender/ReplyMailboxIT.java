package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.app.Role;
import org.azuremail.delivery.testmail.ForwardedReplies;
import org.azuremail.delivery.testmail.TestMail;
import org.azuremail.delivery.testmail.TestMails;
import org.azuremail.feedback.EmailFinder;
import org.azuremail.feedback.FeedbackProperties.UnsubscribeProperties;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListName;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOver;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.MergedMail;
import org.azuremail.mail.OnUnknown;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.simulated.Faults;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.watcher.WatcherKind;
import org.azuremail.watcher.mailbox.MailServer;
import org.azuremail.watcher.mailbox.MailboxTurns;
import org.azuremail.watcher.mailbox.ScriptedMailbox;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.Stopping;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Emails of people in a mailbox on a real server: who asks to leave is unsubscribed, the others are forwarded once. */
class ReplyMailboxIT {

    private static final int RECIPIENTS = 4;
    private static final ListName LIST = new ListName("contoso1");
    private static final UnsubscribeProperties LEAVE = new UnsubscribeProperties("leave@example.org");

    private final MailServer server = new MailServer();
    private final Map<String, String> handles = new TreeMap<>();
    private final Map<String, String> messageIds = new TreeMap<>();
    private final List<String> headers = new ArrayList<>();
    private final List<MailLot> forwarded = new ArrayList<>();
    private SimulatedWorld world = new SimulatedWorld();
    private URI publicUrl = SimulatedProcess.PUBLIC_URL;

    @AfterEach
    void close() {
        server.close();
    }

    private void sent() {
        sent("News");
    }

    private void sent(String subject) {
        world = new SimulatedWorld();
        world.subject = subject;
        forwarded.clear();
        world.provider = new MailTransport() {
            @Override
            public String name() {
                return "provider";
            }

            @Override
            public int lotSize() {
                return 4;
            }

            @Override
            public HandOver handOver(MailLot lot, Guard guard) {
                lot.mails().forEach(mail -> {
                    String address = mail.to().address().value();
                    handles.put(address, String.valueOf(mail.handle()));
                    messageIds.put(address, mail.messageId());
                    MergedMail.of(lot.content(), mail).headers().stream()
                            .filter(header -> header.name().equals("List-Unsubscribe"))
                            .forEach(header -> headers.add(header.value()));
                });
                if (lot.content().id().startsWith("reply-")) {
                    forwarded.add(lot);
                }
                return HandOver.same(lot.mails().size(), new Answer.Accepted("id"));
            }
        };
        world.restart();
        world.list(LIST.value(), RECIPIENTS, 0);
        world.message(LIST, OnUnknown.HOLD);
        world.runToEnd();
    }

    private static String address(int number) {
        return "v%02d@contoso1.test".formatted(number);
    }

    private String leaveAddress(int number) {
        return LEAVE.unsubscribeAddress().replace("*", handles.get(address(number)));
    }

    private List<Integer> subscribed() {
        return IntStream.range(0, RECIPIENTS)
                .filter(number -> world.process
                        .subscriptions
                        .find(
                                world.process
                                        .lists
                                        .find(LIST)
                                        .map(Versioned::value)
                                        .orElseThrow(),
                                new EmailAddress(address(number)))
                        .orElseThrow()
                        .value()
                        .verified())
                .boxed()
                .toList();
    }

    private static Map<String, String> settings(Map<String, String> ofServer) {
        Map<String, String> settings = new HashMap<>(ofServer);
        settings.put("list", LIST.value());
        settings.put("forwardTo", "office@contoso.edu");
        return settings;
    }

    private String read() throws Exception {
        return read(server.settings("imap", "none"), world.process, world.storage.storage());
    }

    /** As another installation at this address would. */
    private String readAt(URI url) throws Exception {
        publicUrl = url;
        try {
            String result = read();
            forward();
            return result;
        } finally {
            publicUrl = SimulatedProcess.PUBLIC_URL;
        }
    }

    private String read(Map<String, String> ofServer, SimulatedProcess process, Storage storage) throws Exception {
        try (MailboxTurns turns = new MailboxTurns(settings(ofServer), 0)) {
            return turns.turn(replies(turns, process, storage)).words();
        }
    }

    private WatcherKind replies(MailboxTurns turns, SimulatedProcess process, Storage storage) {
        return turns.replies(
                new EmailFinder(process.handles, process.messageStore, process.deliveries, process.search),
                LEAVE,
                process.feature.subscriptions(),
                process.lists,
                new ForwardedReplies(storage),
                InlineWork.queues(storage, TestMail.TYPE),
                publicUrl);
    }

    /** The sender's part. */
    private void forward() throws Exception {
        Storage storage = world.storage.storage();
        TestMailSender sender = new TestMailSender(
                world.process.parts,
                new ReplyForwarder(
                        world.process.parts,
                        world.process.lists,
                        new ForwardedReplies(storage),
                        new AzureMailProperties(
                                StorageKind.EMBEDDED, Path.of("data"), publicUrl, ZoneOffset.UTC, Set.of(Role.SENDER))),
                new TestMails(storage, world.time));
        WorkQueues queues = InlineWork.queues(storage, TestMail.TYPE);
        QueueRunner<TestMail> runner = InlineWork.runtime(
                        storage,
                        new DeadLetters(storage, queues),
                        InlineWork.leases(storage, world.time, new SeededIds(5), Duration.ofSeconds(60)),
                        world.time,
                        new Stopping())
                .runner(sender);
        for (int round = 0; round < 10; round++) {
            runner.runOnce();
            world.time.advance(Duration.ofMinutes(2));
        }
    }

    private void letter(String from, String to, String subject, String more, String text) {
        server.deliver(written(from, to, subject, more, text));
    }

    private static String written(String from, String to, String subject, String more, String text) {
        return "From: Jo Doe <%s>\nTo: %s\nSubject: %s\nMessage-ID: <%s@mail.test>\n%s\n%s\n"
                .formatted(from, to, subject, Math.abs((from + subject + more + text).hashCode()), more, text);
    }

    @Test
    void eachEmailSaysToWhichAddressItsReaderMayWriteToLeave() {
        sent();
        assertThat(headers)
                .hasSize(RECIPIENTS)
                .allMatch(
                        value -> value.matches(
                                "<mailto:leave\\+[0-9a-z]{20,52}@example\\.org\\?subject=unsubscribe>, <https://lists\\.contoso\\.edu/unsubscribe\\?id=.*>"));
    }

    @Test
    void theAddressOfAnEmailUnsubscribesItsRecipientWhoeverWrites() throws Exception {
        sent();
        letter("another@mail.test", leaveAddress(1).toUpperCase(java.util.Locale.ROOT), "", "", "");
        letter("auto@mail.test", leaveAddress(2), "Away", "Auto-Submitted: auto-replied\n", "I am away.");
        letter("auto@mail.test", leaveAddress(2), "Failure", "Return-Path: <>\n", "No such user.");
        letter("x@mail.test", "leave+" + "a".repeat(40) + "@example.org", "unsubscribe", "", "");
        assertThat(read()).isEqualTo("1 request to unsubscribe, nothing forwarded, and 3 other messages");
        assertThat(subscribed()).containsExactly(0, 2, 3);
        assertThat(server.count("INBOX")).isZero();
        assertThat(server.count("Processed")).isEqualTo(4);
    }

    /** A From address can be forged: without the Message-ID of an email to that very address a person decides. */
    @Test
    void aReplyThatAsksToUnsubscribeMustProveItsSender() throws Exception {
        sent();
        String reply = "In-Reply-To: <%s>\n";
        letter(address(0), "news@contoso.edu", "Re: Unsubscribe!", reply.formatted(messageIds.get(address(0))), "Hi");
        letter(
                address(1),
                "news@contoso.edu",
                "Re: News",
                "References: <x@y>\n <%s>\n".formatted(messageIds.get(address(1))),
                "\nBitte abmelden.\n\n> News");
        letter(address(2), "news@contoso.edu", "unsubscribe", "", "");
        letter(address(3), "news@contoso.edu", "unsubscribe", reply.formatted(messageIds.get(address(2))), "");
        letter(
                address(3),
                "news@contoso.edu",
                "How do I unsubscribe my aunt?",
                reply.formatted(messageIds.get(address(3))),
                "");
        assertThat(read()).isEqualTo("2 requests to unsubscribe, 3 emails forwarded");
        assertThat(subscribed()).containsExactly(2, 3);
    }

    private void reply(int who, String subject, String type, String text) {
        letter(
                address(who),
                "news@contoso.edu",
                subject,
                "In-Reply-To: <%s>\nContent-Type: %s\n".formatted(messageIds.get(address(who)), type),
                text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "please unsubscribe me from this list; 1",
                "Please remove me from your list.; 1",
                "I want to unsubscribe; 1",
                "I'd like to unsubscribe from your mailing list, thank you!; 1",
                "Could you please remove me from the newsletter?; 1",
                "Re: unsubscribe contoso1; 1",
                "Unsubscribe me from the contoso1 list; 1",
                "unsubscribe my aunt; 0",
                "I want to unsubscribe from the gym; 0",
                "Please remove me from the committee; 0",
                "unsubscribe other; 0"
            })
    void usualSentencesAskToLeave(String sentence, int leaves) throws Exception {
        sent();
        reply(0, "Re: News", "text/plain", sentence);
        reply(1, sentence, "text/plain", "");
        assertThat(read()).startsWith(leaves == 1 ? "2 requests to unsubscribe" : "Nobody unsubscribed, 2 emails");
    }

    @Test
    void ourOwnWordsInAReplyAskForNothing() throws Exception {
        sent("Stop!");
        reply(0, "Re: Stop!", "text/plain", "What shall I stop?");
        reply(1, "Re: Stop!", "text/plain", "> Unsubscribe\n> Dear reader\n\nNice article!");
        reply(2, "Re: News", "text/html", "<blockquote><p>Unsubscribe</p></blockquote><p>Nice!</p>");
        reply(3, "Re: News", "text/html", "<title>stop</title><p>Dear team,</p><p>my order is late.</p>");
        assertThat(read()).isEqualTo("Nobody unsubscribed, 4 emails forwarded");
        assertThat(subscribed()).hasSize(RECIPIENTS);
        forward();
        assertThat(forwarded)
                .extracting(
                        lot -> MergedMail.of(lot.content(), lot.mails().get(0)).text())
                .anyMatch(text -> text.matches("(?s)Dear team,\\s+my order is late\\.\\s*"));
    }

    @Test
    void theFirstLineOfAnHtmlReplyMayAskToLeave() throws Exception {
        sent();
        reply(0, "Re: News", "text/html", "<p>Unsubscribe</p><p>Jo</p>");
        reply(1, "Re: News", "text/html", "<div dir='auto'>Unsubscribe</div><div>Sent from my phone</div>");
        reply(2, "Re: News", "text/html", "<blockquote>News</blockquote><div>Please <b>remove</b> me</div>");
        assertThat(read()).startsWith("3 requests to unsubscribe");
        assertThat(subscribed()).containsExactly(3);
    }

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

    private void comesBack(MailLot lot) {
        MergedMail merged = MergedMail.of(lot.content(), lot.mails().get(0));
        String headers = merged.headers().stream()
                .map(header -> header.name() + ": " + header.value() + "\n")
                .collect(Collectors.joining());
        letter("news@contoso.edu", "news@contoso.edu", merged.subject(), headers, merged.text());
    }

    @Test
    void aForwardedReplyThatComesBackStaysAndIsReported() throws Exception {
        sent();
        letter("jo@mail.test", "news@contoso.edu", "Question", "", "Who are you?");
        read();
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

    /** Each installation knows what it forwarded itself, whoever forwarded it since; a long chain ends. */
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
    void whatIsOddInAReplyDoesNotKeepItFromBeingForwarded(String from, String headers, String text) throws Exception {
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

    /** The process dies at each storage call in turn, and its connection with it, or the answer is lost; another one goes on. */
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

    /** Somebody who leaves and somebody who asks. */
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
        } catch (WatcherKind.Failed | ProcessDied | StorageException cutOff) {
            // The next turn goes on.
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

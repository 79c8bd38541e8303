package org.azuremail.sender;

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
import org.azuremail.mail.Answer;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.MergedMail;
import org.azuremail.mail.OnUnknown;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Versioned;
import org.azuremail.watcher.WatcherKind;
import org.azuremail.watcher.mailbox.MailServer;
import org.azuremail.watcher.mailbox.MailboxTurns;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.junit.jupiter.api.AfterEach;

/** Emails of people in a mailbox on a real server, whose list has sent one message. */
abstract class OnReplyMailbox {

    static final int RECIPIENTS = 4;
    static final ListName LIST = new ListName("contoso1");
    static final UnsubscribeProperties LEAVE = new UnsubscribeProperties("leave@example.org");

    final MailServer server = new MailServer();
    final Map<String, String> handles = new TreeMap<>();
    final Map<String, String> messageIds = new TreeMap<>();
    final List<String> headers = new ArrayList<>();
    final List<MailLot> forwarded = new ArrayList<>();
    SimulatedWorld world = new SimulatedWorld();
    URI publicUrl = SimulatedProcess.PUBLIC_URL;
    Answer answer = new Answer.Accepted("id");

    @AfterEach
    void close() {
        server.close();
    }

    void sent() {
        sent("News");
    }

    void sent(String subject) {
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
            public HandOverResult handOver(MailLot lot, Guard guard) {
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
                return HandOverResult.same(lot.mails().size(), answer);
            }
        };
        world.restart();
        world.list(LIST.value(), RECIPIENTS, 0);
        world.message(LIST, OnUnknown.HOLD);
        world.runToEnd();
    }

    static String address(int number) {
        return "v%02d@contoso1.test".formatted(number);
    }

    String leaveAddress(int number) {
        return LEAVE.unsubscribeAddress().replace("*", handles.get(address(number)));
    }

    List<Integer> subscribed() {
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

    static Map<String, String> settings(Map<String, String> ofServer) {
        Map<String, String> settings = new HashMap<>(ofServer);
        settings.put("list", LIST.value());
        settings.put("forwardTo", "office@contoso.edu");
        return settings;
    }

    String read() throws Exception {
        return read(server.settings("imap", "none"), world.process, world.storage.storage());
    }

    /** Reads the mailbox and forwards as another installation at this address would. */
    String readAt(URI url) throws Exception {
        publicUrl = url;
        try {
            String result = read();
            forward();
            return result;
        } finally {
            publicUrl = SimulatedProcess.PUBLIC_URL;
        }
    }

    String read(Map<String, String> ofServer, SimulatedProcess process, Storage storage) throws Exception {
        try (MailboxTurns turns = new MailboxTurns(settings(ofServer), 0)) {
            return turns.turn(replies(turns, process, storage)).words();
        }
    }

    WatcherKind replies(MailboxTurns turns, SimulatedProcess process, Storage storage) {
        return turns.replies(
                new EmailFinder(process.handles, process.messageStore, process.deliveries, process.search),
                LEAVE,
                process.feature.subscriptions(),
                process.lists,
                new ForwardedReplies(storage),
                InlineWork.queues(storage, TestMail.TYPE),
                publicUrl);
    }

    void forward() throws Exception {
        forward(Duration.ofMinutes(2));
    }

    /** Forwards replies as the sender does, with ten looks at the queue at this interval. */
    void forward(Duration interval) throws Exception {
        Storage storage = world.storage.storage();
        TestMailSender sender = new TestMailSender(
                world.process.context,
                new ReplyForwarder(
                        world.process.context,
                        world.process.lists,
                        new ForwardedReplies(storage),
                        new AzureMailProperties(
                                StorageKind.EMBEDDED, Path.of("data"), publicUrl, ZoneOffset.UTC, Set.of(Role.SENDER))),
                new TestMails(storage, world.time));
        WorkQueues queues = InlineWork.queues(storage, TestMail.TYPE);
        WorkRuntime runtime = InlineWork.runtime(
                storage,
                new DeadLetters(storage, queues),
                InlineWork.leases(storage, world.time, new SeededIds(5), Duration.ofSeconds(60)),
                world.time,
                new StopFlag());
        QueueRunner<TestMail> runner = InlineWork.runner(runtime, sender);
        for (int round = 0; round < 10; round++) {
            runner.runOnce();
            world.time.advance(interval);
        }
    }

    void letter(String from, String to, String subject, String more, String text) {
        server.deliver(written(from, to, subject, more, text));
    }

    static String written(String from, String to, String subject, String more, String text) {
        return "From: Jo Doe <%s>\nTo: %s\nSubject: %s\nMessage-ID: <%s@mail.test>\n%s\n%s\n"
                .formatted(from, to, subject, Math.abs((from + subject + more + text).hashCode()), more, text);
    }

    void reply(int who, String subject, String type, String text) {
        letter(
                address(who),
                "news@contoso.edu",
                subject,
                "In-Reply-To: <%s>\nContent-Type: %s\n".formatted(messageIds.get(address(who)), type),
                text);
    }
}

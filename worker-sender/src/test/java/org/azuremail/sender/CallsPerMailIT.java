package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.id.SeededIds;
import org.azuremail.limit.RateLimitWait;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageCalls;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.azure.TestStorage;
import org.azuremail.storage.embedded.EmbeddedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.transport.sendgrid.FakeSendGrid;
import org.azuremail.transport.sendgrid.ImpatientSendGrid;
import org.azuremail.transport.sendgrid.SendGridTransport;
import org.azuremail.transport.smtp.ImpatientSmtp;
import org.azuremail.transport.smtp.SmtpTransport;
import org.azuremail.work.service.QueueService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks the cost of a message in storage calls, from its creation to Completed, including the polls for completion.
 * Calls are counted at the ports, where they equal the billed operations of an account.
 */
class CallsPerMailIT {

    private static final int MAILS = 20_000;
    private static final int DEFAULT_BATCH = 250;
    private static final double MOST = 0.06;
    private static final int PLACES = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ManualTime time = ManualTime.thatSleepsByItself();
    private final SeededIds ids = new SeededIds(3);
    private final StorageCalls calls = new StorageCalls("test");

    @TempDir
    private Path directory;

    @Test
    void fewerThanSixHundredthsOfACallAMailThroughSendGrid() throws Exception {
        try (FakeSendGrid server = new FakeSendGrid().withoutReadingMails();
                SendGridTransport transport = ImpatientSendGrid.to(server.endpoint(), DEFAULT_BATCH, PATIENCE, time)) {
            assertThat(callsPerMail("SendGrid, batches of 250", transport)).isLessThan(MOST);
        }
    }

    @Test
    void fewerThanSixHundredthsOfACallAMailThroughSmtp() throws Exception {
        try (FaultySmtp server = new FaultySmtp(FaultyTaker.flawless());
                SmtpTransport transport = ImpatientSmtp.to(server.port(), 2, PATIENCE, time)) {
            assertThat(callsPerMail("SMTP, lots of 99", transport)).isLessThan(MOST);
        }
    }

    @Test
    void theTutorialsWayCostsFiftyTimesAsMuch() throws Exception {
        int mails = 2_000;
        TutorialCampaign.Result then = TutorialCampaign.run(mails, AccountLimits.TODAY);
        System.out.printf(
                "calls a mail: %.3f, one item and one row at a time%n",
                (double) then.account().calls() / mails);

        assertThat((double) then.account().calls() / mails).isGreaterThan(50 * MOST);
    }

    @Test
    void onAnAccountACallIsOneRequest() throws Exception {
        int mails = 1_000;
        LongAdder requests = new LongAdder();
        Storage account = TestStorage.counting(requests);
        MailingList list = crowd(account, mails);
        try (FakeSendGrid server = new FakeSendGrid().withoutReadingMails();
                SendGridTransport transport = ImpatientSendGrid.to(server.endpoint(), DEFAULT_BATCH, PATIENCE, time)) {
            SimulatedProcess process = process(calls.around(account), transport);
            long before = total();
            requests.reset();

            mail(process, list, mails);

            long counted = total() - before;
            System.out.printf("calls to an account for %,d mails: %d, requests: %d%n", mails, counted, requests.sum());
            assertThat(requests.sum()).isPositive().isLessThanOrEqualTo(counted);
        }
    }

    private double callsPerMail(String how, MailTransport transport) {
        try (EmbeddedStorage embedded = EmbeddedStorage.open(directory, time)) {
            MailingList list = crowd(embedded.storage(), MAILS);
            SimulatedProcess process = process(calls.around(embedded.storage()), transport);
            long before = total();

            mail(process, list, MAILS);

            double perMail = (double) (total() - before) / MAILS;
            System.out.printf("calls a mail: %.4f, %s, to %,d%n", perMail, how, MAILS);
            return perMail;
        }
    }

    private long total() {
        return calls.snapshot().values().stream()
                .mapToLong(StorageCalls.Count::calls)
                .sum();
    }

    private SimulatedProcess process(Storage storage, MailTransport transport) {
        DeliveryLimits limits = DeliveryLimits.SHARED.withSkew(Duration.ZERO);
        return new SimulatedProcess(storage, time, ids, limits, transport, mails -> RateLimitWait.NONE);
    }

    private void mail(SimulatedProcess process, MailingList list, int mails) {
        Messages.MessageCreateResult creation = process.messages.create(new Messages.NewMessage(
                list.name(),
                Draft.of("News for {{name|you}}", "<html><body><p>Hello</p></body></html>", null),
                new Schedule(time.instant(), ZoneOffset.UTC),
                OnUnknown.HOLD,
                "test",
                false));
        Message made = ((Messages.MessageCreateResult.Created) creation).message();
        for (int turn = 0; turn < 30 && !process.messageStore.active().isEmpty(); turn++) {
            process.look();
            drain(process, process.fanOut);
            drain(process, process.sender);
            time.advance(Duration.ofSeconds(10));
        }
        Message message = process.messages.find(made.ref()).orElseThrow();
        assertThat(message.status()).isEqualTo(MessageStatus.COMPLETED);
        assertThat(message.result().counts().sent()).isEqualTo(mails);
    }

    /** Handles as many items at a time as a process has places. */
    private static <T> void drain(SimulatedProcess process, QueueService<T> service) {
        List<QueueItem> items;
        do {
            items = process.receive(service, PLACES);
            items.forEach(item -> process.handle(service, item));
        } while (!items.isEmpty());
    }

    /**
     * Returns a list of this many subscribers, whose rows equal those that the product writes. Its creation is not
     * counted.
     */
    private MailingList crowd(Storage storage, int subscribers) {
        SimulatedProcess process = process(storage, new RecordingTransport(1));
        MailingList list = Crowd.list("crowd", time.instant());
        process.lists.create(list);
        Values example = Crowd.example(process, storage, time.instant());
        for (int shard = 0; shard < list.shards(); shard++) {
            String partition = list.name().value() + "." + shard;
            List<Write> batch = new ArrayList<>();
            for (EmailAddress address : addresses(list, shard, subscribers)) {
                batch.add(Write.insert(Recipient.rowKey(address), Crowd.values(example, shard, address)));
                if (batch.size() == TableStore.MAX_BATCH) {
                    storage.tables().write(ListStore.TABLE, partition, batch);
                    batch.clear();
                }
            }
            if (!batch.isEmpty()) {
                storage.tables().write(ListStore.TABLE, partition, batch);
            }
        }
        return list;
    }

    private static List<EmailAddress> addresses(MailingList list, int shard, int subscribers) {
        return IntStream.rangeClosed(1, subscribers)
                .mapToObj(Crowd::address)
                .filter(address -> list.shardOf(address) == shard)
                .toList();
    }
}

package org.azuremail.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.content.ContentProperties;
import org.azuremail.content.MessageBodies;
import org.azuremail.delivery.DeliveryLimits;
import org.azuremail.delivery.DeliveryStore;
import org.azuremail.delivery.FanOutItem;
import org.azuremail.delivery.LateCounts;
import org.azuremail.delivery.MailItem;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.Range;
import org.azuremail.delivery.RangeRewriter;
import org.azuremail.delivery.Reopening;
import org.azuremail.delivery.ShardKey;
import org.azuremail.delivery.ShardTakeOver;
import org.azuremail.id.CompactIds;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Message;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.message.Schedule;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.SubscriptionFeature;
import org.azuremail.subscription.confirmation.ConfirmationItem;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.SubscriptionProperties;
import org.azuremail.time.ManualTime;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.signal.Signals;
import org.springframework.util.unit.DataSize;

/** The scheduler alone, on a simulated storage with one list of two shards; nobody sends. Limits are shrunk. */
final class SchedulerWorld {

    static final ListName LIST = new ListName("news");
    static final int SHARDS = 2;

    private static final DeliveryLimits SMALL = new DeliveryLimits(
            5,
            7,
            6,
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofSeconds(60));

    final ManualTime time = ManualTime.thatSleepsByItself();
    final SimulatedStorage simulated = new SimulatedStorage(time, 7);
    final HeardSignals signals = new HeardSignals();
    final MessageStore messages;
    final DeliveryStore deliveries;
    final MessageControl control;
    final SubscriptionFeature feature;
    final DueMessages due;
    final FanOut fanOut;
    private final Messages desk;

    SchedulerWorld() {
        Storage storage = simulated.storage();
        SeededIds ids = new SeededIds(42);
        Stream.of(MailItem.TYPE, FanOutItem.TYPE, ConfirmationItem.TYPE)
                .forEach(type -> storage.queues().createQueue(type.queue()));
        storage.tables().createTable(ListStore.TABLE);
        ListStore lists = new ListStore(storage.tables());
        messages = new MessageStore(storage.tables());
        MessageBlobs blobs = new MessageBlobs(storage.blobs());
        deliveries = new DeliveryStore(storage.tables(), SMALL);
        RangeRewriter rewriter = new RangeRewriter(deliveries, messages);
        WorkQueues work = WorkQueues.of(storage, MailItem.TYPE, FanOutItem.TYPE, ConfirmationItem.TYPE);
        ShardTakeOver shards = new ShardTakeOver(deliveries, ids, time);
        control = new MessageControl(messages, deliveries, rewriter, shards, work, Signals.NONE, time);
        MessageBodies bodies = new MessageBodies(new ContentProperties(DataSize.ofMegabytes(5)));
        desk = new Messages(messages, blobs, lists, bodies, new CompactIds(storage), Signals.NONE, time);
        feature = new SubscriptionFeature(
                lists,
                storage.tables(),
                work,
                () -> Stream.of(rewriter),
                control,
                ids,
                time,
                new SubscriptionProperties(5, Duration.ofDays(1), Duration.ofDays(30)));
        due = new DueMessages(
                messages,
                blobs,
                lists,
                deliveries,
                control,
                new LateCounts(storage.tables(), deliveries, rewriter),
                new Reopening(messages, deliveries, lists, shards, work, Signals.NONE, time),
                feature.confirmations(),
                work,
                signals,
                time);
        fanOut = new FanOut(messages, lists, feature.store(), deliveries, shards, work, Signals.NONE, time);
        Mailbox from = new Mailbox(new EmailAddress("donotreply@contoso.edu"), "Contoso");
        lists.create(
                MailingList.of(LIST, "News", from, OptIn.DOUBLE, time.instant()).withShards(SHARDS));
    }

    /** What whoever is signalled would hear of the look. */
    static final class HeardSignals implements Signals {

        final List<String> woken = new ArrayList<>();
        final List<Duration> active = new ArrayList<>();

        @Override
        public void workWaits(String queue) {}

        @Override
        public void runSoon(String scheduledService) {
            woken.add(scheduledService);
        }

        @Override
        public void messagesActive(Duration lasts) {
            active.add(lasts);
        }
    }

    /** So many that both shards have some. */
    void subscribers(int count) {
        IntStream.range(0, count).forEach(i -> feature.subscriptions()
                .adminAdd(
                        LIST,
                        new EmailAddress("v%02d@news.test".formatted(i)),
                        Profile.named(""),
                        true,
                        Origin.admin("test")));
    }

    MessageRef message(Instant dueAt) {
        Messages.Creation creation = desk.create(new Messages.NewMessage(
                LIST,
                MessageBodies.Draft.of("News", "<html><body><p>Hello</p></body></html>", null),
                new Schedule(dueAt, ZoneOffset.UTC),
                OnUnknown.HOLD,
                "test"));
        return ((Messages.Creation.Created) creation).message().ref();
    }

    /** A message that the first look has found due: its fan-out is queued. */
    MessageRef queuing() {
        MessageRef ref = message(time.instant());
        due.run();
        return ref;
    }

    Versioned<Message> read(MessageRef ref) {
        return messages.findActive(ref).orElseThrow();
    }

    /** Walks the shards whose items wait, but for those whose items are lost. */
    void walkAllBut(int... lost) {
        for (String text : drain(FanOutItem.TYPE.queue())) {
            FanOutItem item = FanOutItem.TYPE.read(text);
            if (IntStream.of(lost).noneMatch(shard -> shard == item.shard())) {
                fanOut.handle(item, NeverStopping.DELIVERY);
            }
        }
    }

    /** Every item of the queue, which is empty then. */
    List<String> drain(String queue) {
        List<String> texts = new ArrayList<>();
        List<QueueItem> items;
        do {
            items = simulated.queues().receive(queue, 32, Duration.ofMinutes(1));
            items.forEach(item -> {
                texts.add(item.text());
                simulated.queues().delete(queue, item);
            });
        } while (!items.isEmpty());
        return texts;
    }

    List<Versioned<Range>> ranges(MessageRef ref) {
        return IntStream.range(0, SHARDS)
                .boxed()
                .flatMap(shard -> deliveries.controls(new ShardKey(ref, shard)).ranges().stream())
                .toList();
    }

    /** A row of another feature in the index that the scheduler looks at. */
    void putInIndex(String rowKey) {
        simulated
                .tables()
                .write(
                        MessageStore.MESSAGE,
                        MessageStore.ACTIVE,
                        Write.upsert(rowKey, Values.of("AnnouncedAt", time.instant())));
    }
}

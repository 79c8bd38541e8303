package org.azuremail.scheduler;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.azuremail.app.Wiring;
import org.azuremail.content.BodiesInTests;
import org.azuremail.content.MessageBodies;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.FanOutItem;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.gallery.Gallery;
import org.azuremail.greeting.BirthdayProperties.LeapDay;
import org.azuremail.greeting.GreetingMarks;
import org.azuremail.id.SeededIds;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.Lists;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.Mailbox;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mailclass.ClassSettings;
import org.azuremail.mailclass.Plan;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
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
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.Growth;
import org.azuremail.subscription.SubscriptionFeature;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.suppression.SuppressionsInTests;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.Switches;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.signal.HeardSignals;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/** A scheduler without senders on a simulated storage, with one list of two shards and small limits. */
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

    /** The holders whose processes are known to have ended. */
    final Set<String> gone = new HashSet<>();

    final MessageStore messages;
    final DeliveryStore deliveries;
    final MessageControl control;
    final SubscriptionFeature feature;
    final DueMessages due;
    final MessageSteps steps;
    final Reconciler reconciler;
    final HeldMessages held;
    final FanOut fanOut;
    private final Messages desk;

    private final Wiring wiring = new Wiring(
            "storage", "id", "list", "content", "message", "delivery", "segment", "subscription", "scheduler");

    SchedulerWorld() {
        Storage storage = simulated.storage();
        SeededIds ids = new SeededIds(42);
        Stream.of(MailItem.TYPE, FanOutItem.TYPE, ConfirmationItem.TYPE)
                .forEach(type -> storage.queues().createQueue(type.queue()));
        WorkQueues work = InlineWork.queues(storage, MailItem.TYPE, FanOutItem.TYPE, ConfirmationItem.TYPE);
        Stream.of(storage, time, ids, SMALL, holders(ids), work, BodiesInTests.bodies(), signals)
                .forEach(wiring::give);
        wiring.give(new Switches(storage, Signals.NONE, new InProcessSignals(), time));
        wiring.give(new FeedbackProperties(null, 0.05, 0.003, 100));
        wiring.give(SuppressionsInTests.of(storage, time));
        wiring.give(ClassSettings.classes());
        wiring.give(new Gallery(storage.tables(), URI.create("http://localhost")));
        messages = wiring.get(MessageStore.class);
        deliveries = wiring.get(DeliveryStore.class);
        control = wiring.get(MessageControl.class);
        desk = wiring.get(Messages.class);
        ListStore lists = wiring.get(ListStore.class);
        wiring.give(SubscriptionFeature.PROPERTIES);
        storage.tables().createTable(PersonDirectory.TABLE);
        feature = new SubscriptionFeature(wiring);
        wiring.give(new GreetingMarks(storage.tables(), feature.store(), ZoneOffset.UTC, LeapDay.FEB_28));
        wiring.give(new Growth(lists, feature.store(), storage.tables(), ZoneOffset.UTC, time));
        due = wiring.get(DueMessages.class);
        steps = wiring.get(MessageSteps.class);
        reconciler = wiring.get(Reconciler.class);
        held = wiring.get(HeldMessages.class);
        fanOut = wiring.get(FanOut.class);
        Mailbox from = new Mailbox(new EmailAddress("donotreply@contoso.edu"), "Contoso");
        lists.create(Lists.with(MailingList.of(LIST, "News", from, OptIn.DOUBLE, time.instant()), "shards", SHARDS));
    }

    private Holders holders(SeededIds ids) {
        return new Holders() {
            @Override
            public String next() {
                return ids.token();
            }

            @Override
            public boolean isDead(String holder) {
                return gone.contains(holder);
            }

            @Override
            public boolean detectsDeadHolders() {
                return true;
            }
        };
    }

    void plan(@Nullable Plan plan) {
        ListStore lists = wiring.get(ListStore.class);
        Versioned<MailingList> list = lists.find(LIST).orElseThrow();
        lists.update(Lists.with(list.value(), "plan", plan), list.etag());
    }

    /** Adds subscribers. If there are many, both shards get some. */
    void subscribers(int count) {
        IntStream.range(0, count).forEach(i -> feature.subscriptions()
                .adminAdd(
                        LIST,
                        new EmailAddress("v%02d@news.test".formatted(i)),
                        Profile.NONE,
                        true,
                        Origin.admin("test")));
    }

    MessageRef message(Instant dueAt) {
        return message(dueAt, null);
    }

    MessageRef message(Instant dueAt, @Nullable String mailClass) {
        Messages.MessageCreateResult creation = desk.create(new Messages.NewMessage(
                Audience.of(LIST),
                MessageBodies.Draft.of("News", "<html><body><p>Hello</p></body></html>", null),
                new Schedule(dueAt, ZoneOffset.UTC),
                OnUnknown.HOLD,
                mailClass,
                "test",
                false,
                false));
        return ((Messages.MessageCreateResult.Created) creation).message().ref();
    }

    /** Creates a message and runs the scheduler, which queues its fan-out. */
    MessageRef queuing() {
        MessageRef ref = message(time.instant());
        due.run();
        return ref;
    }

    Versioned<Message> read(MessageRef ref) {
        return messages.findActive(ref).orElseThrow();
    }

    /** Walks the shards whose items wait, except the given ones. */
    void walkAllBut(int... lost) {
        for (String text : drain(FanOutItem.TYPE.queue())) {
            FanOutItem item = FanOutItem.TYPE.read(text);
            if (IntStream.of(lost).noneMatch(shard -> shard == item.shard())) {
                fanOut.handle(item, NeverStopping.DELIVERY);
            }
        }
    }

    /** Removes all items from the queue and returns their texts. */
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

    /** Writes a row of another feature into the index that the scheduler reads. */
    void putInIndex(String rowKey) {
        simulated
                .tables()
                .write(
                        MessageStore.MESSAGE,
                        MessageStore.ACTIVE,
                        Write.upsert(rowKey, Values.of("AnnouncedAt", time.instant())));
    }
}

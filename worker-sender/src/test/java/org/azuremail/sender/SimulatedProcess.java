package org.azuremail.sender;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.azuremail.content.ContentProperties;
import org.azuremail.content.MessageBodies;
import org.azuremail.delivery.Decisions;
import org.azuremail.delivery.DeliveryLimits;
import org.azuremail.delivery.DeliveryStore;
import org.azuremail.delivery.FanOutItem;
import org.azuremail.delivery.LateCounts;
import org.azuremail.delivery.MailItem;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.OutcomeArchive;
import org.azuremail.delivery.RangeRewriter;
import org.azuremail.delivery.RecipientSearch;
import org.azuremail.delivery.Reopening;
import org.azuremail.delivery.RestoreGuard;
import org.azuremail.delivery.ShardTakeOver;
import org.azuremail.delivery.WaitingRanges;
import org.azuremail.id.CompactIds;
import org.azuremail.id.IdSource;
import org.azuremail.journal.Journal;
import org.azuremail.limit.Tokens;
import org.azuremail.list.ListStore;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.MailTransport;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.route.Breaker;
import org.azuremail.route.ListRoutes;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.scheduler.SchedulerServices;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.SubscriptionFeature;
import org.azuremail.subscription.confirmation.ConfirmationItem;
import org.azuremail.subscription.removal.ListDeletion;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.SubscriptionProperties;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.ByHand;
import org.azuremail.work.run.Delivery;
import org.azuremail.work.run.QueueService;
import org.azuremail.work.run.ScheduledService;
import org.azuremail.work.run.Stopping;
import org.azuremail.work.run.WorkResult;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** One process with all three roles on a simulated storage; a restart is a new one. */
final class SimulatedProcess {

    static final URI PUBLIC_URL = URI.create("https://lists.contoso.edu");
    private static final Duration VISIBILITY = Duration.ofSeconds(60);

    final ListStore lists;
    final SubscriptionFeature feature;
    final SubscriptionStore subscriptions;
    final MessageStore messageStore;
    final MessageBlobs blobs;
    final Messages messages;
    final MessageControl control;
    final WaitingRanges waiting;
    final DeliveryStore deliveries;
    final OutcomeArchive archive;
    final RangeRewriter rewriter;
    final Reopening reopening;
    final Decisions decisions;
    final RecipientSearch search;
    final ListDeletion listDeletion;
    final DeadLetters deadLetters;
    final ScheduledService dueMessages;

    /** What runs once a day beside it. */
    final List<ScheduledService> sweeps;

    final QueueService<FanOutItem> fanOut;
    final QueueService<MailItem> sender;
    final LotMaker mails;
    final List<Route> ways;

    /** Addresses whose mail cannot be made. */
    final Set<String> poisoned = new HashSet<>();

    /** What handlers threw that storage did not. */
    final List<Exception> thrown = new ArrayList<>();

    /** What handlers are told when they ask whether the process is stopping. */
    BooleanSupplier stopping = () -> false;

    final CompactIds compactIds;

    private final Storage storage;
    private final Time time;
    private final WorkRuntime runtime;

    SimulatedProcess(
            Storage storage, Time time, IdSource ids, DeliveryLimits limits, MailTransport transport, Tokens rate) {
        this(storage, time, ids, limits, List.of(transport), rate, Journal.NONE);
    }

    /** With transports that stand in for each other, in this order. */
    SimulatedProcess(
            Storage storage,
            Time time,
            IdSource ids,
            DeliveryLimits limits,
            List<MailTransport> order,
            Tokens rate,
            Journal journal) {
        this(storage, time, ids, limits, order, new Limited(rate, rate, WhenFull.WAIT), journal, Holders.anywhere(ids));
    }

    /** What the first transport may take, what the others may, and what becomes of mail that the first may not take. */
    record Limited(Tokens first, Tokens others, WhenFull whenFull) {

        private Route route(MailTransport transport, boolean isFirst, Breaker breaker) {
            return new Route(transport.name(), transport, isFirst ? first : others, breaker, whenFull);
        }
    }

    SimulatedProcess(
            Storage storage,
            Time time,
            IdSource ids,
            DeliveryLimits limits,
            List<MailTransport> order,
            Limited limited,
            Journal journal,
            Holders holders) {
        this.storage = storage;
        this.time = time;
        compactIds = new CompactIds(storage);
        storage.queues().createQueue(MailItem.TYPE.queue());
        storage.queues().createQueue(FanOutItem.TYPE.queue());
        storage.tables().createTable(ListStore.TABLE);
        lists = new ListStore(storage.tables());
        messageStore = new MessageStore(storage.tables());
        blobs = new MessageBlobs(storage.blobs());
        deliveries = new DeliveryStore(storage.tables(), limits, holders::gone);
        archive = new OutcomeArchive(storage.tables(), limits);
        rewriter = new RangeRewriter(deliveries, messageStore);
        WorkQueues work = WorkQueues.of(storage, MailItem.TYPE, FanOutItem.TYPE, ConfirmationItem.TYPE);
        ShardTakeOver shards = new ShardTakeOver(deliveries, ids, time);
        control = new MessageControl(messageStore, deliveries, rewriter, shards, work, Signals.NONE, time);
        waiting = new WaitingRanges(messageStore, deliveries, work, time);
        MessageBodies bodies = new MessageBodies(new ContentProperties(DataSize.ofMegabytes(5)));
        messages = new Messages(messageStore, blobs, lists, bodies, compactIds, Signals.NONE, time);
        reopening = new Reopening(messageStore, deliveries, lists, shards, work, Signals.NONE, time);
        decisions = new Decisions(storage.tables(), messageStore, deliveries, rewriter, time);
        feature = new SubscriptionFeature(
                lists,
                storage.tables(),
                work,
                () -> Stream.of(rewriter),
                control,
                ids,
                time,
                new SubscriptionProperties(5, Duration.ofDays(1), Duration.ofDays(30)));
        subscriptions = feature.store();
        search = new RecipientSearch(deliveries, lists, subscriptions);
        listDeletion = new ListDeletion(lists, storage.tables(), feature.confirmations(), control, Signals.NONE, time);
        deadLetters = new DeadLetters(storage, work);
        Leases leases = new Leases(storage, time, ids, limits.skew());
        runtime = WorkRuntime.inline(storage, deadLetters, leases, time, new Stopping());
        SchedulerServices scheduler = SchedulerServices.of(
                messageStore,
                blobs,
                lists,
                subscriptions,
                deliveries,
                shards,
                control,
                new LateCounts(storage.tables(), deliveries, rewriter),
                reopening,
                feature.confirmations(),
                work,
                time);
        dueMessages = scheduler.dueMessages();
        sweeps = Stream.concat(
                        Stream.of(SchedulerServices.bodySweep(messageStore, storage.blobs(), time)),
                        ByHand.sweeps(storage, deadLetters, time))
                .toList();
        fanOut = scheduler.fanOut();
        mails = new PoisonableMails(blobs, lists, PUBLIC_URL, time, poisoned);
        ways = order.stream()
                .map(one -> limited.route(one, one == order.get(0), new Breaker(storage, time, one.name())))
                .toList();
        Routes routes = new Routes(ways, order.stream().map(MailTransport::name).toList());
        sender = new SenderConfiguration()
                .rangeSender(
                        messageStore,
                        control,
                        deliveries,
                        archive,
                        rewriter,
                        subscriptions,
                        mails,
                        routes,
                        new ListRoutes(lists, routes, time),
                        journal,
                        deadLetters,
                        Signals.NONE,
                        time,
                        holders,
                        lists,
                        reopening);
    }

    /** What a process does with a restored storage before its workers start. */
    RestoreGuard restoreGuard(RestoredBackup restored) {
        return new RestoreGuard(restored, storage, compactIds, messageStore, deliveries, time);
    }

    /** One look of the scheduler, then whatever is visible on the queues, one item after the other. */
    void turn() {
        try {
            look();
            drain(fanOut);
            drain(sender);
        } catch (StorageException e) {
            // As the runtime's loops do: go on with the next turn.
            return;
        }
    }

    /** One look of the scheduler. */
    void look() {
        try {
            dueMessages.run();
        } catch (ProcessDied | StorageException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("the look at due messages threw", e);
        }
    }

    <T> void drain(QueueService<T> service) {
        List<QueueItem> items;
        do {
            items = receive(service, 1);
            items.forEach(item -> handle(service, item));
        } while (!items.isEmpty() && !stopping.getAsBoolean());
    }

    <T> List<QueueItem> receive(QueueService<T> service, int max) {
        return storage.queues().receive(service.itemType().queue(), max, VISIBILITY);
    }

    /** By the runtime's own handling; what a test's own check threw in a handler is thrown on. */
    <T> void handle(QueueService<T> service, QueueItem item) {
        Noting<T> noting = new Noting<>(service);
        ByHand.handle(runtime, noting, item, stopping);
        noting.rethrow();
    }

    /** Notes what a handler throws, which the runtime only logs. */
    private final class Noting<T> extends OnePlace<T> {

        private @Nullable AssertionError broken;

        Noting(QueueService<T> service) {
            super(service);
        }

        @Override
        public WorkResult handle(T item, Delivery delivery) throws Exception {
            try {
                return super.handle(item, delivery);
            } catch (StorageException away) {
                throw away;
            } catch (AssertionError failed) {
                broken = failed;
                throw failed;
            } catch (Exception e) {
                thrown.add(e);
                throw e;
            }
        }

        private void rethrow() {
            if (broken != null) {
                throw broken;
            }
        }
    }
}

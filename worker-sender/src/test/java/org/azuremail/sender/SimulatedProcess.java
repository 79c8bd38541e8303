package org.azuremail.sender;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.app.Role;
import org.azuremail.app.Wiring;
import org.azuremail.content.BodiesInTests;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.archive.RangeRewriter;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.FanOutItem;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.WaitingRanges;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.azuremail.delivery.reopen.Decisions;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.delivery.reopen.RestoreGuard;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.feedback.FeedbackRecorder;
import org.azuremail.feedback.MailHandles;
import org.azuremail.gallery.Gallery;
import org.azuremail.greeting.BirthdayProperties.LeapDay;
import org.azuremail.greeting.GreetingMarks;
import org.azuremail.greeting.Greetings;
import org.azuremail.id.CompactIds;
import org.azuremail.id.IdSource;
import org.azuremail.journal.Journal;
import org.azuremail.limit.TokenSource;
import org.azuremail.list.ListStore;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.MailTransport;
import org.azuremail.mailclass.ClassSettings;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Messages;
import org.azuremail.route.Breaker;
import org.azuremail.route.EmailCounts;
import org.azuremail.route.FixedRoutes;
import org.azuremail.route.Route;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.Growth;
import org.azuremail.subscription.ListDeletion;
import org.azuremail.subscription.SubscriptionFeature;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.suppression.Suppressions;
import org.azuremail.suppression.SuppressionsInTests;
import org.azuremail.template.SharedTemplates;
import org.azuremail.template.Templates;
import org.azuremail.time.Time;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.ByHand;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.service.WorkResult;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/** One process with all three roles on a simulated storage. A restart creates a new one. */
final class SimulatedProcess {

    static final URI PUBLIC_URL = URI.create("https://lists.contoso.edu");

    static final AzureMailProperties SETTINGS = new AzureMailProperties(
            StorageKind.EMBEDDED, Path.of("data"), PUBLIC_URL, ZoneOffset.UTC, Set.of(Role.SENDER));

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
    final Suppressions suppressions;
    final MailHandles handles;
    final FeedbackRecorder recorder;
    final RecipientSearch search;
    final ListDeletion listDeletion;
    final DeadLetters deadLetters;
    final ScheduledService dueMessages;
    final ScheduledService bodySweep;

    /** The services that run once a day in this process. */
    final List<ScheduledService> sweeps;

    final QueueService<FanOutItem> fanOut;
    /** The services by class, the most urgent one first. */
    final List<? extends QueueService<MailItem>> senders;

    /** The sender of the default class. */
    final QueueService<MailItem> sender;

    final LotBuilder mails;
    final SenderContext context;
    final List<Route> ways;

    /** Addresses whose email cannot be built. */
    final Set<String> poisoned = new HashSet<>();

    /** The exceptions of handlers that the storage did not cause. */
    final List<Exception> thrown = new ArrayList<>();

    /** The answer to handlers that ask whether the process is stopping. */
    BooleanSupplier stopping = () -> false;

    final CompactIds compactIds;

    private final Storage storage;
    private final Time time;
    private final WorkRuntime runtime;
    private final Wiring wiring = new Wiring(
            "storage",
            "id",
            "list",
            "content",
            "message",
            "delivery",
            "segment",
            "subscription",
            "work",
            "scheduler",
            "sender");

    SimulatedProcess(
            Storage storage,
            Time time,
            IdSource ids,
            DeliveryLimits limits,
            MailTransport transport,
            TokenSource rate) {
        this(storage, time, ids, limits, List.of(transport), rate, Journal.NONE);
    }

    /** Creates a process with transports that replace each other in this order. */
    SimulatedProcess(
            Storage storage,
            Time time,
            IdSource ids,
            DeliveryLimits limits,
            List<MailTransport> order,
            TokenSource rate,
            Journal journal) {
        this(storage, time, ids, limits, order, new Limited(rate, rate, WhenFull.WAIT), journal, Holders.anywhere(ids));
    }

    /** The limits of the first transport and of the others, and the rule for emails that the first one may not take. */
    record Limited(TokenSource first, TokenSource others, WhenFull whenFull) {

        private Route route(MailTransport transport, boolean isFirst, Breaker breaker) {
            return new Route(
                    transport.name(), transport, isFirst ? first : others, breaker, whenFull, new EmailCounts());
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
        this(storage, time, ids, limits, order, limited, journal, holders, ClassSettings.classes());
    }

    SimulatedProcess(
            Storage storage,
            Time time,
            IdSource ids,
            DeliveryLimits limits,
            List<MailTransport> order,
            Limited limited,
            Journal journal,
            Holders holders,
            MailClasses classes) {
        this.storage = storage;
        this.time = time;
        storage.tables().createTable(PersonDirectory.TABLE);
        classes.all().forEach(one -> storage.queues().createQueue(one.queue(MailItem.TYPE.queue())));
        storage.queues().createQueue(FanOutItem.TYPE.queue());
        WorkQueues work = InlineWork.queues(storage, MailItem.TYPE, FanOutItem.TYPE, ConfirmationItem.TYPE);
        Stream.of(storage, time, ids, limits, holders, work, journal, Signals.NONE)
                .forEach(wiring::give);
        wiring.give(classes);
        wiring.give(BodiesInTests.bodies());
        wiring.give(new Gallery(storage.tables(), URI.create("http://localhost")));
        compactIds = wiring.get(CompactIds.class);
        lists = wiring.get(ListStore.class);
        messageStore = wiring.get(MessageStore.class);
        blobs = wiring.get(MessageBlobs.class);
        deliveries = wiring.get(DeliveryStore.class);
        archive = wiring.get(OutcomeArchive.class);
        rewriter = wiring.get(RangeRewriter.class);
        control = wiring.get(MessageControl.class);
        waiting = wiring.get(WaitingRanges.class);
        messages = wiring.get(Messages.class);
        wiring.give(new FeedbackProperties("bounces@example.org", 0.05, 0.003, 100));
        suppressions = wiring.give(SuppressionsInTests.of(storage, time));
        reopening = wiring.get(Reopening.class);
        decisions = wiring.get(Decisions.class);
        feature = SubscriptionFeature.on(wiring, storage, work);
        subscriptions = feature.store();
        wiring.give(new GreetingMarks(storage.tables(), feature.store(), ZoneOffset.UTC, LeapDay.FEB_28));
        wiring.give(new Growth(lists, feature.store(), storage.tables(), ZoneOffset.UTC, time));
        search = wiring.get(RecipientSearch.class);
        listDeletion = wiring.get(ListDeletion.class);
        deadLetters = wiring.get(DeadLetters.class);
        Leases leases = InlineWork.leases(storage, time, ids, limits.skew());
        runtime = InlineWork.runtime(storage, deadLetters, leases, time, new StopFlag());
        List<ScheduledService> scheduled = wiring.all("scheduler", ScheduledService.class);
        dueMessages = named(Messages.DUE_MESSAGES, scheduled);
        bodySweep = named("body-sweep", scheduled);
        sweeps = Stream.concat(Stream.of(bodySweep), ByHand.sweeps(storage, deadLetters, time))
                .toList();
        handles = new MailHandles(storage, ids, time);
        recorder = new FeedbackRecorder(
                handles, deliveries, archive, rewriter, wiring.get(FigureRequests.class), suppressions, time);
        fanOut = onlyFanOut(wiring.all("scheduler", QueueService.class));
        Templates templates = new Templates(new SharedTemplates(null, time), storage.tables(), time);
        mails = wiring.give(new PoisonableMails(
                blobs, lists, templates, SETTINGS, handles, wiring.get(ListLimits.class), time, poisoned));
        ways = order.stream()
                .map(one -> limited.route(
                        one, one == order.get(0), new Breaker(storage, time, one.name(), (unused, state) -> {})))
                .toList();
        wiring.give(FixedRoutes.of(ways, order.stream().map(MailTransport::name).toList()));
        context = wiring.get(SenderContext.class);
        senders = wiring.get(RangeSender.class).all();
        sender = senders.get(classes.byDefault().rank());
    }

    /** Returns a pool of all classes that works on the calling thread, as in the runtime. Each poll takes one item. */
    QueueRunner<MailItem> pool() {
        return new QueueRunner<>(runtime, senders, 1, 1, () -> {}, new Random(1)::nextDouble);
    }

    /** A thread's pool of all classes. It rethrows assertion errors from handlers. */
    final class Pool {

        private final List<Noting<MailItem>> services =
                senders.stream().map(sender -> new Noting<MailItem>(sender)).toList();
        private final QueueRunner<MailItem> runner =
                new QueueRunner<>(runtime, services, 1, 1, () -> {}, new Random(1)::nextDouble);

        SimulatedProcess process() {
            return SimulatedProcess.this;
        }

        /** Returns whether an item was there. */
        boolean runOnce(Predicate<String> running) {
            boolean taken = runner.runOnce(running, false) > 0;
            services.forEach(Noting::rethrow);
            return taken;
        }
    }

    Greetings greetings() {
        return new Greetings(storage.tables(), Signals.NONE, ZoneOffset.UTC, time);
    }

    private static ScheduledService named(String name, List<ScheduledService> services) {
        return services.stream()
                .filter(service -> service.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static QueueService<FanOutItem> onlyFanOut(List<QueueService> services) {
        assertThat(services).hasSize(1);
        return services.get(0);
    }

    /** Returns the guard that a process runs on a restored storage before its workers start. */
    RestoreGuard restoreGuard(RestoredBackup restored) {
        return new RestoreGuard(restored, storage, compactIds, messageStore, deliveries, greetings(), time);
    }

    /** Runs the scheduler once, then handles all visible items, one by one. */
    void turn() {
        try {
            look();
            drain(fanOut);
            senders.forEach(this::drain);
        } catch (StorageException e) {
            // The runtime's loops also continue with the next turn.
            return;
        }
    }

    /** Runs the scheduler once. */
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

    /** Handles the item as the runtime does, and rethrows assertion errors from the handler. */
    <T> void handle(QueueService<T> service, QueueItem item) {
        Noting<T> noting = new Noting<>(service);
        ByHand.handle(runtime, noting, item, stopping);
        noting.rethrow();
    }

    /** Records exceptions of a handler, which the runtime only logs. */
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

package org.azuremail.sender;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.app.Role;
import org.azuremail.id.SeededIds;
import org.azuremail.limit.Limits;
import org.azuremail.limit.RateLimit;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.MailProperties.WhenFull;
import org.azuremail.mail.Mailbox;
import org.azuremail.mailclass.ClassSettings;
import org.azuremail.report.ConfirmationReminders;
import org.azuremail.route.Breaker;
import org.azuremail.route.EmailCounts;
import org.azuremail.route.FixedRoutes;
import org.azuremail.route.PreferredTransports;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.Deliveries;
import org.azuremail.subscription.SubscriptionFeature;
import org.azuremail.subscription.Subscriptions.SubscribeResult;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.subscriber.Origin;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.suppression.SuppressionsInTests;
import org.azuremail.template.SharedTemplates;
import org.azuremail.template.Templates;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.lease.Locks;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.WorkResult;

/** Subscriptions and their confirmation sender on a simulated storage, driven by hand. */
final class ConfirmationWorld {

    static final ListName LIST = new ListName("news");
    private static final EmailAddress BOB = new EmailAddress("Bob@example.org");
    private static final String QUEUE = ConfirmationItem.TYPE.queue();

    final ManualTime time = ManualTime.thatSleepsByItself();
    final SimulatedStorage simulated = new SimulatedStorage(time.unshifted());
    final ScriptedTransport transport = new ScriptedTransport();
    final SeededIds ids = new SeededIds(3);
    RateLimit rate = new RateLimit(new SimulatedStorage(time).storage(), time, "outbox", Limits.NONE);
    ListStore lists;
    SubscriptionFeature feature;
    ConfirmationSender sender;

    ConfirmationWorld() {
        simulated.tables().createTable(ListStore.TABLE);
        simulated.tables().createTable(PersonDirectory.TABLE);
        simulated.tables().createTable("message");
        simulated.queues().createQueue(QUEUE);
        restart(simulated.storage());
        lists.create(MailingList.of(
                LIST,
                "The News",
                new Mailbox(new EmailAddress("news@example.org"), "News"),
                OptIn.DOUBLE,
                time.instant()));
    }

    void restart(Storage storage) {
        lists = new ListStore(storage.tables());
        feature = SubscriptionFeature.of(
                storage,
                InlineWork.queues(storage, ConfirmationItem.TYPE),
                (list, shard, address) -> {},
                list -> false,
                ids,
                time);
        Breaker breaker = new Breaker(storage, time, "scripted", (unused, state) -> {});
        Routes routes = FixedRoutes.of(
                List.of(new Route("scripted", transport, rate, breaker, WhenFull.WAIT, new EmailCounts())),
                List.of("scripted"));
        sender = new ConfirmationSender(
                feature.claims(),
                feature.signUps(),
                SuppressionsInTests.of(storage, time),
                routes,
                new PreferredTransports(lists, routes, time),
                new Templates(new SharedTemplates(null, time), storage.tables(), time),
                new AzureMailProperties(
                        StorageKind.EMBEDDED,
                        Path.of("data"),
                        URI.create("https://lists.example.org"),
                        ZoneOffset.UTC,
                        Set.of(Role.SENDER)),
                ClassSettings.classes(),
                time);
    }

    /** Returns the sender of the reminders that an admin asked for. */
    ConfirmationReminderSender askAgain() {
        Locks locks = new Locks(InlineWork.leases(simulated.storage(), time, ids, Duration.ZERO), time);
        ConfirmationReminders jobs = new ConfirmationReminders(null, locks, simulated.storage(), time);
        return new ConfirmationReminderSender(sender, feature.subscriptions(), jobs, ClassSettings.classes(), time);
    }

    Subscriber subscriber(EmailAddress address) {
        return feature.store()
                .find(lists.find(LIST).orElseThrow().value(), address)
                .orElseThrow()
                .value();
    }

    SubscribeResult subscribeBob() {
        return feature.subscriptions()
                .subscribe(LIST, BOB, new Profile("Bob", Map.of()), Origin.api("partner", "203.0.113.7"));
    }

    boolean knowsBob() {
        return feature.store().find(lists.find(LIST).orElseThrow().value(), BOB).isPresent();
    }

    Subscriber bob() {
        return subscriber(BOB);
    }

    /** Handles every visible item, as the runtime does. */
    void drain() {
        List<QueueItem> items;
        do {
            items = simulated.queues().receive(QUEUE, 1, Duration.ofSeconds(60));
            items.forEach(this::handle);
        } while (!items.isEmpty());
    }

    private void handle(QueueItem item) {
        WorkResult result;
        try {
            result = handle(ConfirmationItem.parse(item.text()));
        } catch (StorageException e) {
            simulated.queues().renew(QUEUE, item, Duration.ofSeconds(10));
            return;
        }
        if (result instanceof WorkResult.RetryAfter retry) {
            simulated.queues().renew(QUEUE, item, retry.delay());
        } else {
            simulated.queues().delete(QUEUE, item);
        }
    }

    WorkResult handle(ConfirmationItem item) {
        Delivery first = Deliveries.first();
        try {
            return sender.handle(item, first);
        } catch (InterruptedException e) {
            throw new IllegalStateException("stopped", e);
        }
    }

    /** Queues stale confirmations again, as the scheduler does. */
    void requeue() {
        Rows.all(simulated.tables(), "message", KeyRange.partition(".active"))
                .forEach(feature.confirmations()::requeueStale);
    }

    /** Runs the scheduler's part and the sender alternately for ten minutes. */
    void tenMinutes() {
        for (int i = 0; i < 20; i++) {
            requeue();
            drain();
            time.advance(Duration.ofSeconds(30));
        }
    }
}

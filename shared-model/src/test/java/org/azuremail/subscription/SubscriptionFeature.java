package org.azuremail.subscription;

import java.time.Duration;
import org.azuremail.app.Wiring;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListUse;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.DepartureListener;
import org.azuremail.subscription.subscriber.SubscriptionProperties;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;

/** The parts of the feature, wired as in production. */
public record SubscriptionFeature(Wiring wiring) {

    public static final SubscriptionProperties PROPERTIES =
            new SubscriptionProperties(5, Duration.ofHours(24), Duration.ofDays(30));

    public static SubscriptionFeature of(
            Storage storage, WorkQueues queues, DepartureListener departures, ListUse use, IdSource ids, Time time) {
        Wiring wiring = new Wiring("storage", "list", "subscription");
        wiring.give(storage);
        wiring.give(queues);
        wiring.give(departures);
        wiring.give(use);
        wiring.give(ids);
        wiring.give(time);
        return on(wiring, storage, queues);
    }

    /** Returns the feature together with others. Its background work runs on the caller's thread. */
    public static SubscriptionFeature on(Wiring wiring, Storage storage, WorkQueues queues) {
        wiring.give(PROPERTIES);
        wiring.give(new PersonDirectory(storage.tables(), Runnable::run));
        wiring.give(new ConfirmationQueue(queues, Runnable::run));
        return new SubscriptionFeature(wiring);
    }

    public SubscriptionStore store() {
        return wiring.get(SubscriptionStore.class);
    }

    public Subscriptions subscriptions() {
        return wiring.get(Subscriptions.class);
    }

    public SubscriberChores confirmations() {
        return wiring.get(SubscriberChores.class);
    }

    public ConfirmationClaims claims() {
        return wiring.get(ConfirmationClaims.class);
    }

    public SignUpPriority signUps() {
        return wiring.get(SignUpPriority.class);
    }

    public SubscriberPages pages() {
        return wiring.get(SubscriberPages.class);
    }

    public ShardWriter writer() {
        return wiring.get(ShardWriter.class);
    }

    public SampleLists samples() {
        return wiring.get(SampleLists.class);
    }
}

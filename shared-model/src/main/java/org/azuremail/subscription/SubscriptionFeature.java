package org.azuremail.subscription;

import java.util.function.Supplier;
import java.util.stream.Stream;
import org.azuremail.id.IdSource;
import org.azuremail.id.InstallationKey;
import org.azuremail.list.ListStore;
import org.azuremail.list.ListUse;
import org.azuremail.storage.TableStore;
import org.azuremail.subscription.confirmation.ConfirmationClaims;
import org.azuremail.subscription.confirmation.ConfirmationQueue;
import org.azuremail.subscription.confirmation.ConfirmationSeals;
import org.azuremail.subscription.edit.AdminEdits;
import org.azuremail.subscription.edit.MoveSteps;
import org.azuremail.subscription.edit.Moves;
import org.azuremail.subscription.edit.SettledWriter;
import org.azuremail.subscription.join.Confirming;
import org.azuremail.subscription.join.Joining;
import org.azuremail.subscription.join.SignUpPriority;
import org.azuremail.subscription.leave.Erasures;
import org.azuremail.subscription.leave.Leaving;
import org.azuremail.subscription.store.ChoreIndex;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.DepartureListener;
import org.azuremail.subscription.subscriber.Departures;
import org.azuremail.subscription.subscriber.SubscriptionProperties;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;

/** The parts of this feature, put together once; public, so that tests of other features need no container. */
public final class SubscriptionFeature {

    private final SubscriptionStore store;
    private final Subscriptions subscriptions;
    private final Confirmations confirmations;
    private final ConfirmationClaims claims;
    private final SignUpPriority arrivals;
    private final SubscriberPages pages;
    private final SampleLists samples;
    private final ShardWriter writer;
    private final InstallationKey key;

    public SubscriptionFeature(
            ListStore lists,
            TableStore tables,
            WorkQueues queues,
            Supplier<Stream<DepartureListener>> departureListeners,
            ListUse use,
            IdSource ids,
            Time time,
            SubscriptionProperties properties) {
        Departures departures = new Departures(departureListeners);
        ChoreIndex index = new ChoreIndex(tables, time);
        this.writer = new ShardWriter(tables, lists, index, time);
        ConfirmationQueue queue = new ConfirmationQueue(queues);
        this.store = new SubscriptionStore(tables);
        MoveSteps steps = new MoveSteps(writer, queue, time);
        Moves moves = new Moves(lists, store, writer, steps, departures, ids, time);
        Erasures erasures = new Erasures(lists, store, writer, departures, use, time);
        SettledWriter settled = new SettledWriter(store, writer, moves);
        AdminEdits edits = new AdminEdits(lists, settled, departures, ids, time);
        this.key = new InstallationKey(tables, "confirmations", ids, time);
        ConfirmationSeals seals = new ConfirmationSeals(key, properties.confirmationLink());
        Joining joining = new Joining(lists, settled, queue, ids, time, properties);
        this.arrivals = new SignUpPriority(Runtime.getRuntime().availableProcessors(), time);
        this.subscriptions = new Subscriptions(
                lists,
                arrivals,
                joining,
                new Confirming(lists, store, settled, joining, seals, time),
                new Leaving(lists, settled, departures, time),
                edits,
                moves,
                erasures);
        this.confirmations = new Confirmations(lists, tables, index, queue, moves, erasures, time);
        this.claims = new ConfirmationClaims(lists, store, writer, seals, time);
        this.pages = new SubscriberPages(tables);
        this.samples = new SampleLists(lists, edits, time);
    }

    /** Makes the key of the links where there is none yet, so that the first backup has it already. */
    void makeKey() {
        key.bytes();
    }

    public SubscriptionStore store() {
        return store;
    }

    public Subscriptions subscriptions() {
        return subscriptions;
    }

    public Confirmations confirmations() {
        return confirmations;
    }

    public ConfirmationClaims claims() {
        return claims;
    }

    public SignUpPriority arrivals() {
        return arrivals;
    }

    public SubscriberPages pages() {
        return pages;
    }

    public SampleLists samples() {
        return samples;
    }

    public ShardWriter writer() {
        return writer;
    }
}

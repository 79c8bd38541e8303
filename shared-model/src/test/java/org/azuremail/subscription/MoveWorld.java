package org.azuremail.subscription;

import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.Lists;
import org.azuremail.list.Logos;
import org.azuremail.list.MailingList;
import org.azuremail.list.OptIn;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.Subscriptions.EditResult;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.azuremail.work.signal.Signals;

/** Two lists with different numbers of shards, and a person who moves from one to the other. */
final class MoveWorld {

    static final ListName OTHER = new ListName("sports");
    static final String BOB = "bob@example.org";
    static final Membership HERE = new Membership(LIST, address(BOB));
    static final Membership THERE = new Membership(OTHER, address(BOB));

    final SubscriptionWorld world = new SubscriptionWorld();

    MoveWorld() {
        world.lists.create(Lists.with(SubscriptionWorld.list(OTHER, OptIn.DOUBLE), "shards", 3));
        world.index(OTHER);
    }

    Subscriptions subscriptions() {
        return world.subscriptions();
    }

    Subscriber subscribed() {
        Profile profile = new Profile("Bob", java.util.Map.of("city", "Ulm", "hobby", "chess"));
        return saved(subscriptions().adminAdd(LIST, HERE.address(), profile, true, ADMIN));
    }

    EditResult move() {
        return move(HERE, THERE);
    }

    EditResult move(Membership from, Membership to) {
        return subscriptions().move(from, find(from).orElseThrow().etag(), to, ADMIN);
    }

    Optional<Versioned<Subscriber>> find(Membership membership) {
        return world.lists.find(membership.list()).flatMap(list -> world.store()
                .find(list.value(), membership.address()));
    }

    Subscriber get(Membership membership) {
        return find(membership).orElseThrow().value();
    }

    SubscriberState state(Membership membership) {
        return get(membership).state();
    }

    /** Returns the number of rows on both lists that get emails. */
    long active() {
        return world.lists.all().stream()
                .mapToLong(list -> world.store().counts(list).subscribed())
                .sum();
    }

    Optional<DepartureReason> left(Membership membership) {
        MailingList list = world.lists.find(membership.list()).orElseThrow().value();
        String folded = membership.address().folded();
        return Optional.ofNullable(world.store()
                .departuresIn(list.name(), list.shardOf(membership.address()), folded, folded)
                .get(folded));
    }

    ListDeletion deletion() {
        return new ListDeletion(
                world.lists,
                world.tables(),
                world.feature.confirmations(),
                list -> world.used.contains(list),
                new Logos(world.storage.blobs(), world.ids),
                Signals.NONE,
                new PersonDirectory(world.tables(), Runnable::run),
                new ServiceChoreIndex(world.tables()),
                new SubscriptionStore(world.tables()),
                world.time);
    }

    void checkInvariants() {
        world.lists.all().forEach(list -> Invariants.check(world.tables(), list));
    }

    static Subscriber saved(EditResult result) {
        return ((EditResult.Saved) result).subscriber().value();
    }
}

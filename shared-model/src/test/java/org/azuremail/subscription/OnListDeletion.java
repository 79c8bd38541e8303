package org.azuremail.subscription;

import static org.azuremail.subscription.SubscriptionWorld.ADMIN;
import static org.azuremail.subscription.SubscriptionWorld.LIST;
import static org.azuremail.subscription.SubscriptionWorld.address;

import org.azuremail.list.Logos;
import org.azuremail.list.MailingList;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.azuremail.subscription.store.SubscriberChange;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Declaration;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberEvent;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.work.signal.Signals;

/** A list that is being deleted. */
abstract class OnListDeletion {

    SubscriptionWorld world = new SubscriptionWorld();

    ListDeletion deletion() {
        return new ListDeletion(
                world.lists,
                world.tables(),
                world.feature.confirmations(),
                list -> world.inUse,
                new Logos(world.storage.blobs(), world.ids),
                Signals.NONE,
                new PersonDirectory(world.tables(), Runnable::run),
                new ServiceChoreIndex(world.tables()),
                new SubscriptionStore(world.tables()),
                world.time);
    }

    void run() {
        try {
            deletion().service().run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Writes like a process that read the list before the mark was set. */
    record ListWithoutMark(SubscriptionWorld world, MailingList list) {

        void add(String text) {
            Declaration declaration = Declaration.of(Declaration.Kind.ADDED, world.time.instant(), ADMIN);
            SubscriberGuid guid = SubscriberGuid.next(list.shardOf(address(text)), world.ids);
            Subscriber late =
                    Subscriber.first(LIST, address(text), guid, SubscriberEvent.VERIFIED, Profile.NONE, declaration);
            world.feature
                    .writer()
                    .change(list, guid.shard(), address(text), current -> SubscriberChange.store(late, stored -> true));
        }
    }
}

package org.azuremail.scheduler;

import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.Outcome;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Subscriber;

/**
 * Whether a message was sent to an address that a subscriber had before. A person who gets another address while the shards are
 * walked is mailed at one of them: the new one becomes active only when nobody begins to hand the old one over any more, so
 * what stands of that one then decides. Costs nothing for whoever moved before the message was due.
 */
record FormerAddresses(DeliveryStore deliveries, ListStore lists, SubscriptionStore subscriptions, Message message) {

    /** More than two hosts' clocks differ, and than it takes to store what was decided. */
    private static final Duration MARGIN = Duration.ofHours(1);

    /** Returns whether the subscriber has a mail at a former address, or may have. */
    boolean mailed(Subscriber subscriber) {
        return cameMeanwhile(subscriber) && mailedBefore(subscriber);
    }

    private boolean mailedBefore(Subscriber subscriber) {
        Set<Membership> seen = new HashSet<>();
        Optional<Subscriber> here = Optional.of(subscriber);
        while (here.isPresent()) {
            Membership present = here.get().membership();
            Optional<Membership> former = here.filter(this::cameMeanwhile)
                    .flatMap(Subscriber::arrivedFrom)
                    .filter(seen::add);
            if (former.filter(this::mailed).isPresent()) {
                return true;
            }
            here = former.flatMap(this::row)
                    .filter(row -> row.movedTo().filter(present::same).isPresent());
        }
        return false;
    }

    /** An earlier change may have left an address behind that is somebody else's since. */
    private boolean cameMeanwhile(Subscriber subscriber) {
        return subscriber
                .arrivedAt()
                .filter(at -> at.isAfter(message.dueAt().minus(MARGIN)))
                .isPresent();
    }

    private boolean mailed(Membership former) {
        return message.lists().contains(former.list()) && mailed(former.list(), former.address());
    }

    /**
     * As a subscriber of that list: the address may be on others too. The ranges first: what they say to be on its way has an
     * outcome before they say so no more.
     */
    private boolean mailed(ListName list, EmailAddress address) {
        ShardKey shard = new ShardKey(message.ref(), message.shardOf(address));
        String row = Recipient.rowKey(address);
        return deliveries.controls(shard).ranges().stream()
                        .map(range -> range.value().lot())
                        .anyMatch(lot -> lot != null && lot.covers(row, list))
                || deliveries
                        .outcome(shard, row)
                        .filter(one -> one.recipient().list().equals(list))
                        .filter(one -> one.outcome() == Outcome.SENT || one.outcome() == Outcome.UNKNOWN)
                        .isPresent();
    }

    private Optional<Subscriber> row(Membership former) {
        return lists.find(former.list())
                .map(Versioned::value)
                .flatMap(there -> subscriptions.find(there, former.address()))
                .map(Versioned::value);
    }
}

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
import org.azuremail.message.Message;
import org.azuremail.message.Outcome;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.Subscriber;

/**
 * Decides whether a message was sent to a former address of a subscriber. A person whose address changes while the
 * shards are walked is emailed at only one of the two addresses. The new address becomes active only when no sender can
 * begin to hand over an email to the old one, so that the outcome of the old one decides. This costs nothing for
 * subscribers whose address changed before the message was due.
 */
record FormerAddresses(DeliveryStore deliveries, ListStore lists, SubscriptionStore subscriptions, Message message) {

    /** More than the difference between two hosts' clocks plus the time to save a decision. */
    private static final Duration MARGIN = Duration.ofHours(1);

    /** Returns whether an email was sent, or may have been sent, to a former address of the subscriber. */
    boolean mailed(Subscriber subscriber) {
        return joinedMeanwhile(subscriber) && mailedBefore(subscriber);
    }

    private boolean mailedBefore(Subscriber subscriber) {
        Set<Membership> seen = new HashSet<>();
        Optional<Subscriber> here = Optional.of(subscriber);
        while (here.isPresent()) {
            Membership present = here.get().membership();
            Optional<Membership> former = here.filter(this::joinedMeanwhile)
                    .flatMap(Subscriber::arrivedFrom)
                    .filter(seen::add);
            if (former.filter(this::mailed).isPresent()) {
                return true;
            }
            here = former.flatMap(this::row)
                    .filter(row ->
                            row.movedTo().filter(present::isSameSubscriber).isPresent());
        }
        return false;
    }

    /** Ignores earlier changes, whose former address may belong to another person by now. */
    private boolean joinedMeanwhile(Subscriber subscriber) {
        return subscriber
                .arrivedAt()
                .filter(at -> at.isAfter(message.dueAt().minus(MARGIN)))
                .isPresent();
    }

    /**
     * Counts only emails to this list, because the address may be on others too. Reads the ranges first: before a lot
     * disappears from a range, its outcomes are recorded.
     */
    private boolean mailed(Membership former) {
        ListName list = former.list();
        if (!message.lists().contains(list)) {
            return false;
        }
        ShardKey shard = new ShardKey(message.ref(), message.shardOf(former.address()));
        String row = Recipient.rowKey(former.address());
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
        return lists.findValue(former.list())
                .flatMap(existing -> subscriptions.find(existing, former.address()))
                .map(Versioned::value);
    }
}

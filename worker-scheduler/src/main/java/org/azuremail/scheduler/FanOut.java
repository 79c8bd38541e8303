package org.azuremail.scheduler;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.delivery.DeliveryStore;
import org.azuremail.delivery.FanOutItem;
import org.azuremail.delivery.PartsUnderWay;
import org.azuremail.delivery.ShardControl;
import org.azuremail.delivery.ShardTakeOver;
import org.azuremail.delivery.ShardTakeOver.Taken;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.Delivery;
import org.azuremail.work.run.QueueService;
import org.azuremail.work.run.WorkResult;
import org.azuremail.work.signal.Signals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks one shard of a due message: writes an e-mail row for every verified subscriber and a work item for every range.
 * Any number of schedulers may run it; a shard belongs to one at a time.
 */
class FanOut implements QueueService<FanOutItem> {

    private static final Logger LOG = LoggerFactory.getLogger(FanOut.class);

    private final MessageStore messages;
    private final ListStore lists;
    private final SubscriptionStore subscriptions;
    private final DeliveryStore deliveries;
    private final ShardTakeOver shards;
    private final WorkQueues work;
    private final PartsUnderWay underWay;
    private final Time time;

    FanOut(
            MessageStore messages,
            ListStore lists,
            SubscriptionStore subscriptions,
            DeliveryStore deliveries,
            ShardTakeOver shards,
            WorkQueues work,
            Signals signals,
            Time time) {
        this.messages = messages;
        this.lists = lists;
        this.subscriptions = subscriptions;
        this.deliveries = deliveries;
        this.shards = shards;
        this.work = work;
        this.underWay = new PartsUnderWay(signals);
        this.time = time;
    }

    @Override
    public ItemType<FanOutItem> itemType() {
        return FanOutItem.TYPE;
    }

    @Override
    public boolean followsMessages() {
        return true;
    }

    /** The scheduler queues a shard again for as long as it is not walked. */
    @Override
    public boolean deadLetters() {
        return false;
    }

    @Override
    public WorkResult handle(FanOutItem item, Delivery delivery) {
        underWay.entered(item.ref());
        try {
            return fanOut(item, delivery);
        } finally {
            underWay.left(item.ref());
        }
    }

    private WorkResult fanOut(FanOutItem item, Delivery delivery) {
        Optional<Message> message = messages.findAt(item.date(), item.ref())
                .or(() -> messages.findActive(item.ref()))
                .map(Versioned::value)
                .filter(found -> found.status() == MessageStatus.QUEUING);
        if (message.isEmpty()) {
            return WorkResult.DONE;
        }
        Optional<MailingList> list = lists.find(message.get().list()).map(Versioned::value);
        if (list.isEmpty()) {
            return new WorkResult.Discard("list " + message.get().list() + " is gone");
        }
        Taken taken = shards.take(item.key());
        if (taken instanceof Taken.Busy busy) {
            Duration wait = Duration.between(time.instant(), busy.until());
            return new WorkResult.RetryAfter(wait.isNegative() ? Duration.ZERO : wait);
        }
        if (taken instanceof Taken.Ours ours) {
            walk(message.get(), list.get(), item, ours.shard(), delivery);
        }
        return delivery.stopping() ? new WorkResult.RetryAfter(Duration.ZERO) : WorkResult.DONE;
    }

    private void walk(
            Message message, MailingList list, FanOutItem item, Versioned<ShardControl> shard, Delivery delivery) {
        FormerAddresses former = new FormerAddresses(deliveries, lists, subscriptions, message, list);
        ShardWalk walk =
                new ShardWalk(deliveries, shards, work, time, message, list, former, item.key(), shard, item.again());
        while (!walk.ended() && !delivery.stopping()) {
            String after = walk.cursor();
            SubscriptionStore.ShardPage page = subscriptions.shardPage(
                    list.name(),
                    item.shard(),
                    after.isEmpty() ? null : after,
                    deliveries.limits().page());
            walk.take(page);
        }
        if (walk.walked()) {
            underWay.done(item.ref());
        } else if (!walk.ended()) {
            walk.release();
        }
        LOG.debug("shard {} of message {} walked: {}", item.shard(), item.ref(), walk.walked());
    }
}

package org.azuremail.scheduler;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.FanOutItem;
import org.azuremail.delivery.range.InFlightParts;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.delivery.range.ShardControl;
import org.azuremail.delivery.range.ShardTakeOver;
import org.azuremail.delivery.range.ShardTakeOver.TakeResult;
import org.azuremail.field.FieldStore;
import org.azuremail.greeting.GreetingMarks;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.MessageStore;
import org.azuremail.segment.PeopleFilters;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.suppression.Suppressions;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks one shard of a due message: writes an email row for each recipient and a work item for each range. Any number
 * of schedulers may run it; a shard belongs to one of them at a time.
 */
record FanOut(
        MessageStore messages,
        ListStore lists,
        SubscriptionStore subscriptions,
        Suppressions suppressions,
        DeliveryStore deliveries,
        ShardTakeOver shards,
        PeopleFilters filters,
        FieldStore fields,
        RangeQueues ranges,
        GreetingMarks greetings,
        InFlightParts inFlight,
        Time time)
        implements QueueService<FanOutItem> {

    private static final Logger LOG = LoggerFactory.getLogger(FanOut.class);

    @Override
    public ItemType<FanOutItem> itemType() {
        return FanOutItem.TYPE;
    }

    @Override
    public boolean followsMessages() {
        return true;
    }

    /** The scheduler queues a shard again until it has been walked, so no dead letters are needed. */
    @Override
    public boolean deadLetters() {
        return false;
    }

    @Override
    public WorkResult handle(FanOutItem item, Delivery delivery) {
        inFlight.begin(item.ref());
        try {
            return fanOut(item, delivery);
        } finally {
            inFlight.end(item.ref());
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
        List<MailingList> to = message.get().lists().stream()
                .flatMap(list -> lists.findValue(list).stream())
                .toList();
        if (to.size() < message.get().lists().size()) {
            return new WorkResult.Discard("a list of " + message.get().audience() + " is gone");
        }
        TakeResult taken = shards.take(item.key());
        if (taken instanceof TakeResult.Busy busy) {
            Duration wait = Duration.between(time.instant(), busy.until());
            return new WorkResult.RetryAfter(Durations.max(wait, Duration.ZERO));
        }
        if (taken instanceof TakeResult.Ours ours) {
            walk(message.get(), to, item, ours.shard(), delivery);
        }
        return delivery.stopping() ? new WorkResult.RetryAfter(Duration.ZERO) : WorkResult.DONE;
    }

    private void walk(
            Message message, List<MailingList> to, FanOutItem item, Versioned<ShardControl> shard, Delivery delivery) {
        FormerAddresses former = new FormerAddresses(deliveries, lists, subscriptions, message);
        Suppressions.SuppressionLookup suppressed = suppressions.lookup(item.shard(), message.shards());
        Map<ListName, SendingList> senders =
                to.stream().collect(Collectors.toMap(MailingList::name, list -> SendingList.of(list, fields)));
        ShardWalk walk = new ShardWalk(this, message, senders, former, suppressed, item.key(), shard, item.requeued());
        boolean markedBefore = shard.value().holder().epoch() > 1;
        int page = deliveries.limits().page();
        AudienceWalk audience =
                new AudienceWalk(subscriptions, to, filters.of(message, to), item.shard(), walk.cursor(), page);
        while (!walk.ended() && !delivery.stopping()) {
            AudienceWalk.Part next = audience.next();
            List<Subscriber> people = greetings.claim(message, item.shard(), next.people(), markedBefore);
            walk.take(new AudienceWalk.Part(people, next.read(), next.last()));
        }
        if (walk.walked()) {
            inFlight.done(item.ref());
        } else if (!walk.ended()) {
            walk.release();
        }
        LOG.debug("shard {} of message {} walked: {}", item.shard(), item.ref(), walk.walked());
    }
}

package org.azuremail.scheduler;

import org.azuremail.delivery.DeliveryStore;
import org.azuremail.delivery.FanOutItem;
import org.azuremail.delivery.LateCounts;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.Reopening;
import org.azuremail.delivery.ShardTakeOver;
import org.azuremail.list.ListStore;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.BlobStore;
import org.azuremail.subscription.Confirmations;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.QueueService;
import org.azuremail.work.run.ScheduledService;
import org.azuremail.work.signal.Signals;

/** The scheduler's services, made without a Spring context: simulations restart processes thousands of times. */
public record SchedulerServices(ScheduledService dueMessages, QueueService<FanOutItem> fanOut) {

    /** The daily sweep of bodies that no message names. */
    public static ScheduledService bodySweep(MessageStore messages, BlobStore blobs, Time time) {
        return new BodySweep(messages, blobs, time);
    }

    public static SchedulerServices of(
            MessageStore messages,
            MessageBlobs blobs,
            ListStore lists,
            SubscriptionStore subscriptions,
            DeliveryStore deliveries,
            ShardTakeOver shards,
            MessageControl control,
            LateCounts lateCounts,
            Reopening reopening,
            Confirmations confirmations,
            WorkQueues work,
            Time time) {
        return new SchedulerServices(
                new DueMessages(
                        messages,
                        blobs,
                        lists,
                        deliveries,
                        control,
                        lateCounts,
                        reopening,
                        confirmations,
                        work,
                        Signals.NONE,
                        time),
                new FanOut(messages, lists, subscriptions, deliveries, shards, work, Signals.NONE, time));
    }
}

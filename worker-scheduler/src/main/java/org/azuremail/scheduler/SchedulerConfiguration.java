package org.azuremail.scheduler;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.delivery.DeliveryStore;
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
import org.azuremail.work.Signals;
import org.azuremail.work.WorkQueues;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Worker A, in whatever process has its role. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SCHEDULER)
public class SchedulerConfiguration {

    @Bean
    DueMessages dueMessages(
            MessageStore messages,
            MessageBlobs blobs,
            ListStore lists,
            DeliveryStore deliveries,
            MessageControl control,
            LateCounts lateCounts,
            Reopening reopening,
            Confirmations confirmations,
            WorkQueues work,
            Signals signals,
            Time time) {
        return new DueMessages(
                messages, blobs, lists, deliveries, control, lateCounts, reopening, confirmations, work, signals, time);
    }

    @Bean
    FanOut fanOut(
            MessageStore messages,
            ListStore lists,
            SubscriptionStore subscriptions,
            DeliveryStore deliveries,
            ShardTakeOver shards,
            WorkQueues work,
            Signals signals,
            Time time) {
        return new FanOut(messages, lists, subscriptions, deliveries, shards, work, signals, time);
    }

    @Bean
    BodySweep bodySweep(MessageStore messages, BlobStore blobs, Time time) {
        return new BodySweep(messages, blobs, time);
    }
}

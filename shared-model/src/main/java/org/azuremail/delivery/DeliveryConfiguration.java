package org.azuremail.delivery;

import org.azuremail.id.CompactIds;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.message.MessageStore;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.azuremail.work.Holders;
import org.azuremail.work.ItemType;
import org.azuremail.work.Leases;
import org.azuremail.work.Signals;
import org.azuremail.work.WorkQueues;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Deliveries; every role needs them. */
@Configuration(proxyBeanMethods = false)
public class DeliveryConfiguration {

    @Bean
    DeliveryLimits deliveryLimits(Leases leases) {
        return DeliveryLimits.SHARED.withSkew(leases.foreignGrace());
    }

    @Bean
    DeliveryStore deliveryStore(TableStore tables, DeliveryLimits limits, Holders holders) {
        return new DeliveryStore(tables, limits, holders::gone);
    }

    @Bean
    OutcomeArchive outcomeArchive(TableStore tables, DeliveryLimits limits) {
        return new OutcomeArchive(tables, limits);
    }

    @Bean
    RangeRewriter rangeRewriter(DeliveryStore deliveries, MessageStore messages) {
        return new RangeRewriter(deliveries, messages);
    }

    @Bean
    LateCounts lateCounts(TableStore tables, DeliveryStore deliveries, RangeRewriter rewriter) {
        return new LateCounts(tables, deliveries, rewriter);
    }

    @Bean
    Decisions decisions(
            TableStore tables, MessageStore messages, DeliveryStore deliveries, RangeRewriter rewriter, Time time) {
        return new Decisions(tables, messages, deliveries, rewriter, time);
    }

    @Bean
    RecipientSearch recipientSearch(DeliveryStore deliveries, ListStore lists, SubscriptionStore subscribers) {
        return new RecipientSearch(deliveries, lists, subscribers);
    }

    @Bean
    ShardTakeOver shardTakeOver(DeliveryStore deliveries, IdSource ids, Time time) {
        return new ShardTakeOver(deliveries, ids, time);
    }

    @Bean
    MessageControl messageControl(
            MessageStore messages,
            DeliveryStore deliveries,
            RangeRewriter rewriter,
            ShardTakeOver shards,
            WorkQueues work,
            Signals signals,
            Time time) {
        return new MessageControl(messages, deliveries, rewriter, shards, work, signals, time);
    }

    @Bean
    WaitingRanges waitingRanges(MessageStore messages, DeliveryStore deliveries, WorkQueues work, Time time) {
        return new WaitingRanges(messages, deliveries, work, time);
    }

    @Bean
    Reopening reopening(
            MessageStore messages,
            DeliveryStore deliveries,
            ListStore lists,
            ShardTakeOver shards,
            WorkQueues work,
            Signals signals,
            Time time) {
        return new Reopening(messages, deliveries, lists, shards, work, signals, time);
    }

    @Bean
    ItemType<MailItem> mailItemType() {
        return MailItem.TYPE;
    }

    @Bean
    ItemType<FanOutItem> fanOutItemType() {
        return FanOutItem.TYPE;
    }

    @Bean
    TestMails testMails(Storage storage, Time time) {
        return new TestMails(storage, time);
    }

    @Bean
    ItemType<TestMail> testMailType() {
        return TestMail.TYPE;
    }

    @Bean
    RestoreGuard restoreGuard(
            RestoredBackup restored,
            Storage storage,
            CompactIds ids,
            MessageStore messages,
            DeliveryStore deliveries,
            Time time) {
        return new RestoreGuard(restored, storage, ids, messages, deliveries, time);
    }
}

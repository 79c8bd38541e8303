package org.azuremail.delivery;

import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.archive.OutcomeArchive;
import org.azuremail.delivery.archive.PendingRecounts;
import org.azuremail.delivery.archive.RangeRewriter;
import org.azuremail.delivery.range.DeliveryLimits;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.FanOutItem;
import org.azuremail.delivery.range.InFlightParts;
import org.azuremail.delivery.range.MailItem;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.delivery.range.ShardTakeOver;
import org.azuremail.delivery.range.WaitingRanges;
import org.azuremail.delivery.recipient.RecipientSearch;
import org.azuremail.delivery.reopen.Decisions;
import org.azuremail.delivery.reopen.LastRestore;
import org.azuremail.delivery.reopen.Reopening;
import org.azuremail.delivery.reopen.RestoreGuard;
import org.azuremail.delivery.testmail.ForwardedReplies;
import org.azuremail.delivery.testmail.TestMail;
import org.azuremail.delivery.testmail.TestMails;
import org.azuremail.storage.TableStore;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.ItemType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans of deliveries, which every role needs. */
@Configuration(proxyBeanMethods = false)
@Import({
    SampleMessages.class,
    OutcomeArchive.class,
    RangeRewriter.class,
    PendingRecounts.class,
    FigureRequests.class,
    Decisions.class,
    RecipientSearch.class,
    ShardTakeOver.class,
    MessageControl.class,
    WaitingRanges.class,
    RangeQueues.class,
    InFlightParts.class,
    Reopening.class,
    TestMails.class,
    ForwardedReplies.class,
    RestoreGuard.class,
    LastRestore.class
})
class DeliveryConfiguration {

    @Bean
    DeliveryLimits deliveryLimits(Leases leases) {
        return DeliveryLimits.SHARED.withSkew(leases.foreignGrace());
    }

    @Bean
    public DeliveryStore deliveryStore(TableStore tables, DeliveryLimits limits, Holders holders) {
        return new DeliveryStore(tables, limits, holders::isDead);
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
    ItemType<TestMail> testMailType() {
        return TestMail.TYPE;
    }
}

package org.azuremail.delivery;

import org.azuremail.storage.TableStore;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.ItemType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Deliveries; every role needs them. */
@Configuration(proxyBeanMethods = false)
@Import({
    OutcomeArchive.class,
    RangeRewriter.class,
    LateCounts.class,
    Decisions.class,
    RecipientSearch.class,
    ShardTakeOver.class,
    MessageControl.class,
    WaitingRanges.class,
    Reopening.class,
    TestMails.class,
    RestoreGuard.class
})
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

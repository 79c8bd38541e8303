package org.azuremail.subscription.growth;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.list.ListStore;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Daily counts: written by schedulers, read by pages. */
@Configuration(proxyBeanMethods = false)
class GrowthConfiguration {

    @Bean
    Growth growth(
            ListStore lists, SubscriptionStore subscribers, Storage storage, AzureMailProperties settings, Time time) {
        return new Growth(lists, subscribers, storage.tables(), settings.zone(), time);
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService growthService(Growth growth) {
        return growth.service();
    }
}

package org.azuremail.subscription.transfer;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.SubscriptionFeature;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.azuremail.work.ItemType;
import org.azuremail.work.QueueService;
import org.azuremail.work.ScheduledService;
import org.azuremail.work.WorkQueues;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Imports: taken by every role, worked off by the scheduler's. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ImportProperties.class)
public class ImportConfiguration {

    @Bean
    ItemType<ImportItem> importItems() {
        return ImportItem.TYPE;
    }

    @Bean
    ImportFeature importFeature(
            Storage storage,
            ListStore lists,
            SubscriptionFeature subscriptions,
            WorkQueues queues,
            IdSource ids,
            Time time,
            ImportProperties properties) {
        return new ImportFeature(storage, lists, subscriptions, queues, ids, time, properties);
    }

    @Bean
    Imports imports(ImportFeature feature) {
        return feature.imports();
    }

    @Bean
    SubscriberExport subscriberExport(SubscriptionStore subscribers) {
        return new SubscriberExport(subscribers);
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    QueueService<ImportItem> importService(ImportFeature feature) {
        return feature.service();
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService importSweep(ImportFeature feature) {
        return feature.sweep();
    }
}

package org.azuremail.subscription.transfer;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Imports: taken by every role, worked off by the scheduler's. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ImportProperties.class)
@Import({ImportFeature.class, SubscriberExport.class})
class ImportConfiguration {

    @Bean
    ItemType<ImportItem> importItems() {
        return ImportItem.TYPE;
    }

    @Bean
    Imports imports(ImportFeature feature) {
        return feature.imports();
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

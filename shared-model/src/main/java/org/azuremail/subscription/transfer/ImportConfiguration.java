package org.azuremail.subscription.transfer;

import org.azuremail.storage.ParallelCalls;
import org.azuremail.subscription.transfer.Imports.ImportItem;
import org.azuremail.work.queue.ItemType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Imports. Every role can start them; the scheduler runs them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ImportProperties.class)
@Import({ImportStore.class, Imports.class, ImportService.class, ImportSweep.class, SubscriberExport.class})
class ImportConfiguration {

    @Bean
    ItemType<ImportItem> importItems() {
        return ImportItem.TYPE;
    }

    @Bean
    ParallelCalls importThreads(ImportProperties properties) {
        return new ParallelCalls("import", properties.parallelism());
    }
}

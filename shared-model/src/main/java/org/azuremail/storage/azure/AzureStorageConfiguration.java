package org.azuremail.storage.azure;

import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An Azure Storage account as the product's storage, where it is chosen and no other stands in for it. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "azuremail.storage", havingValue = "azure")
@ConditionalOnMissingBean(Storage.class)
@EnableConfigurationProperties(AzureProperties.class)
class AzureStorageConfiguration {

    @Bean
    AzureClients azureClients(AzureProperties properties, Time time) {
        return AzureClients.of(properties, time);
    }

    @Bean
    Storage storage(AzureClients clients) {
        return new Storage(
                new AzureTableStore(clients.tables()),
                new AzureQueueStore(clients.queues()),
                new AzureBlobStore(clients.blobs()));
    }
}

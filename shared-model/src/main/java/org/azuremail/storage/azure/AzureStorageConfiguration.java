package org.azuremail.storage.azure;

import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Provides an Azure Storage account as the product's storage, if it is chosen and no test provides another. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "azuremail.storage", havingValue = "azure")
@ConditionalOnMissingBean(Storage.class)
@EnableConfigurationProperties(AzureProperties.class)
class AzureStorageConfiguration {

    @Bean
    AzureAccount azureAccount(AzureProperties properties, Time time) {
        return AzureAccount.of(properties, time);
    }

    @Bean
    Storage storage(AzureAccount account) {
        return account.storage();
    }
}

package org.azuremail.storage.embedded;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.storage.CommitHealth;
import org.azuremail.storage.RestoredBackup;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Provides the embedded storage, unless another storage is chosen or a test provides one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "azuremail.storage", havingValue = "embedded", matchIfMissing = true)
@ConditionalOnMissingBean(Storage.class)
class EmbeddedStorageConfiguration {

    @Bean
    EmbeddedStorage embeddedStorage(AzureMailProperties properties, Time time) {
        return EmbeddedStorage.open(properties.dataDir(), time);
    }

    @Bean
    Storage storage(EmbeddedStorage embedded) {
        return embedded.storage();
    }

    @Bean
    RestoredBackup restoredBackup(EmbeddedStorage embedded) {
        return embedded.restoredBackup();
    }

    @Bean
    CommitHealth commitHealth(EmbeddedStorage embedded) {
        return embedded.commitHealth();
    }
}

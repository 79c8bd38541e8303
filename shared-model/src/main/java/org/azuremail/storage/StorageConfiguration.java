package org.azuremail.storage;

import java.util.Locale;
import java.util.stream.Collectors;
import org.azuremail.app.AzureMailProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Provides the three ports of the chosen storage, with every call counted. */
@Configuration(proxyBeanMethods = false)
class StorageConfiguration {

    @Bean
    StorageCalls storageCalls(AzureMailProperties settings) {
        return new StorageCalls(settings.roles().stream()
                .map(role -> role.name().toLowerCase(Locale.ROOT))
                .sorted()
                .collect(Collectors.joining("+")));
    }

    /** Wraps each back end, so that no code can call it without being counted. */
    @Bean
    static BeanPostProcessor countedStorage(ObjectProvider<StorageCalls> calls) {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof Storage real ? calls.getObject().around(real) : bean;
            }
        };
    }

    @Bean
    TableStore tableStore(Storage storage) {
        return storage.tables();
    }

    @Bean
    QueueStore queueStore(Storage storage) {
        return storage.queues();
    }

    @Bean
    BlobStore blobStore(Storage storage) {
        return storage.blobs();
    }

    /** The default for a storage that does not recognise restores. */
    @Bean
    @ConditionalOnMissingBean
    RestoredBackup restoredBackup() {
        return RestoredBackup.NONE;
    }

    /** The default for a storage that does not track failing commits. */
    @Bean
    @ConditionalOnMissingBean
    CommitHealth commitHealth() {
        return CommitHealth.NONE;
    }
}

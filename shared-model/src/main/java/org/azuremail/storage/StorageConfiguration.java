package org.azuremail.storage;

import java.util.Locale;
import java.util.stream.Collectors;
import org.azuremail.app.AzureMailProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The three ports of the chosen storage, with every call counted. */
@Configuration(proxyBeanMethods = false)
class StorageConfiguration {

    @Bean
    StorageCalls storageCalls(AzureMailProperties settings) {
        return new StorageCalls(settings.roles().stream()
                .map(role -> role.name().toLowerCase(Locale.ROOT))
                .sorted()
                .collect(Collectors.joining("+")));
    }

    /** No code can use a back end without its calls being counted. */
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

    /** A storage that recognises restores provides its own. */
    @Bean
    @ConditionalOnMissingBean
    RestoredBackup restoredBackup() {
        return RestoredBackup.NONE;
    }

    /** A storage that knows provides its own. */
    @Bean
    @ConditionalOnMissingBean
    FailingCommits failingCommits() {
        return FailingCommits.NONE;
    }
}

package org.azuremail.storage;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The three ports of the storage that is used, one by one. */
@Configuration(proxyBeanMethods = false)
public class StorageConfiguration {

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

    /** A storage that knows of restores brings its own. */
    @Bean
    @ConditionalOnMissingBean
    RestoredBackup restoredBackup() {
        return RestoredBackup.NONE;
    }
}

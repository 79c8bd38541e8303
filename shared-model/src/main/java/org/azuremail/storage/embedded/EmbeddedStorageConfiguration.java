package org.azuremail.storage.embedded;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.QueueStore;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.time.Time;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** The embedded storage as the product's storage, unless another is chosen. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "azuremail.storage", havingValue = "embedded", matchIfMissing = true)
public class EmbeddedStorageConfiguration {

    /** Lazy: no file is opened where another storage stands in, as in tests. */
    @Bean
    @Lazy
    EmbeddedStorage embeddedStorage(AzureMailProperties properties, Time time) {
        return EmbeddedStorage.open(properties.dataDir(), time);
    }

    @Bean
    Storage storage(EmbeddedStorage embedded) {
        return embedded.storage();
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
}

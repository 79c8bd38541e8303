package org.azuremail.id;

import org.azuremail.storage.Storage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Compact numbers from the storage. */
@Configuration(proxyBeanMethods = false)
public class IdConfiguration {

    @Bean
    CompactIds compactIds(Storage storage) {
        return new CompactIds(storage);
    }
}

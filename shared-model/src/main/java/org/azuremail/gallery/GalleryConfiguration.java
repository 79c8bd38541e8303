package org.azuremail.gallery;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.storage.Storage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans for templates of messages. */
@Configuration(proxyBeanMethods = false)
class GalleryConfiguration {

    @Bean
    Gallery gallery(Storage storage, AzureMailProperties settings) {
        return new Gallery(storage.tables(), settings.publicUrl());
    }
}

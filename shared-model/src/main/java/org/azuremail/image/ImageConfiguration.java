package org.azuremail.image;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans for images of messages. */
@Configuration(proxyBeanMethods = false)
class ImageConfiguration {

    @Bean
    Images images(Storage storage, IdSource ids, Time time, AzureMailProperties settings) {
        return new Images(storage, ids, time, settings.publicUrl());
    }
}

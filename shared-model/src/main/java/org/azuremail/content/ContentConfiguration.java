package org.azuremail.content;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The check of subjects and bodies. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ContentProperties.class)
public class ContentConfiguration {

    @Bean
    MessageBodies messageBodies(ContentProperties properties) {
        return new MessageBodies(properties);
    }
}

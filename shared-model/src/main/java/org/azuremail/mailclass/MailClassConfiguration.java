package org.azuremail.mailclass;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The mail classes; every role needs them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MailClassProperties.class)
class MailClassConfiguration {

    @Bean
    MailClasses mailClasses(MailClassProperties settings) {
        return new MailClasses(settings);
    }
}

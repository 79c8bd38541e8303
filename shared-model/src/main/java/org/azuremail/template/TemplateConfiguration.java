package org.azuremail.template;

import org.azuremail.template.SharedTemplates.TemplateProperties;
import org.azuremail.time.Time;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The pages and emails that subscribers see; every role needs them. */
@Configuration(proxyBeanMethods = false)
@Import(Templates.class)
@EnableConfigurationProperties(TemplateProperties.class)
class TemplateConfiguration {

    @Bean
    SharedTemplates sharedTemplates(TemplateProperties settings, Time time) {
        return new SharedTemplates(settings.directory(), time);
    }
}

package org.azuremail.configuration;

import org.azuremail.time.Time;
import org.azuremail.work.instance.Instances;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Every process tells its settings, and web shows them. */
@Configuration(proxyBeanMethods = false)
class SettingsConfiguration {

    @Bean
    EffectiveSettings effectiveSettings(ApplicationContext context) {
        return new EffectiveSettings(context);
    }

    @Bean
    Configurations configurations(Instances instances, Time time) {
        return new Configurations(instances, time);
    }
}

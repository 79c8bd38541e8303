package org.azuremail.outbox;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans of the outbox. The sender fills it, the web role shows it, and the scheduler trims it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OutboxProperties.class)
@Import(OutboxStore.class)
class OutboxStoreConfiguration {

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService outboxTrim(OutboxStore outbox, OutboxProperties properties, Time time) {
        return ScheduledService.daily(
                "outbox-trim", () -> outbox.trim(time.instant().minus(properties.keep())));
    }
}

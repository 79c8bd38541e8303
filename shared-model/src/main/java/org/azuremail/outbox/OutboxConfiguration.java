package org.azuremail.outbox;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The outbox: the sender's process fills it, web shows it, the scheduler's trims it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(OutboxProperties.class)
@Import(OutboxStore.class)
class OutboxConfiguration {

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService outboxTrim(OutboxStore outbox, OutboxProperties properties, Time time) {
        return ScheduledService.daily(
                "outbox-trim", () -> outbox.trim(time.instant().minus(properties.keep())));
    }
}

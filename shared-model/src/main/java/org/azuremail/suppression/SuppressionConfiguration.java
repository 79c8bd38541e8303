package org.azuremail.suppression;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.work.service.ScheduledService;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The suppressions, which every role needs. The scheduler deletes old soft bounces. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SuppressionProperties.class)
@Import(Suppressions.class)
class SuppressionConfiguration {

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService softBounceSweep(Suppressions suppressions) {
        return ScheduledService.weekly("soft-bounce-sweep", suppressions::removeOldSoftBounces);
    }
}

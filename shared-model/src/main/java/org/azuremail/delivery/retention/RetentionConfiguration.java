package org.azuremail.delivery.retention;

import java.time.Duration;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.blobset.SetJobs;
import org.azuremail.work.service.ScheduledService;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans of retention. Every process knows its job, which begins once a week if the setting is present. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ArchiveProperties.class)
@Import(ArchiveRetention.class)
class RetentionConfiguration {

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    @ConditionalOnProperty("azuremail.archive.keep")
    ScheduledService archiveRetentionService(ArchiveRetention retention, SetJobs jobs, ArchiveProperties settings) {
        Duration keep = settings.keep();
        return ScheduledService.weekly(ArchiveRetention.NAME, () -> {
            if (keep != null) {
                retention.begin(jobs, keep);
            }
        });
    }
}

package org.azuremail.subscription.index;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.blobset.SetJob;
import org.azuremail.work.service.ScheduledService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The index of subscribers: changed by every role, brought in line by the scheduler's. */
@Configuration(proxyBeanMethods = false)
@Import(FieldIndex.class)
class FieldIndexConfiguration {

    @Bean
    SetJob<?, ?> indexJob(FieldIndex index) {
        return index.indexJob();
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService fieldIndexService(FieldIndex index) {
        return index.service();
    }
}

package org.azuremail.subscription;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.work.service.ScheduledService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Deleting lists: every role can begin it, and the scheduler completes it. */
@Configuration(proxyBeanMethods = false)
@Import(ListDeletion.class)
class ListDeletionConfiguration {

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService listDeletionService(ListDeletion deletion) {
        return deletion.service();
    }
}

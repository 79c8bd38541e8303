package org.azuremail.work.run;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.ScheduledService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The services that clean up after the runtime, in processes with the scheduler's role. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SCHEDULER)
@Import(PayloadSweep.class)
class HousekeepingConfiguration {

    /** Removes partitions that are empty and not in use, so that consumers do not have to read them. */
    @Bean
    static ScheduledService partitionSweep(WorkQueues queues) {
        return ScheduledService.weekly(
                "partition-sweep", () -> queues.partitions().forgetUnused(queues::isPartitionEmpty));
    }
}

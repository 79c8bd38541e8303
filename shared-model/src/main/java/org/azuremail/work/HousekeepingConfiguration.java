package org.azuremail.work;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the runtime cleans up behind itself, once a day, in processes with the scheduler's role. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SCHEDULER)
public class HousekeepingConfiguration {

    @Bean
    ScheduledService payloadSweep(Storage storage, DeadLetters deadLetters, Time time, WorkMetrics metrics) {
        return new PayloadSweep(storage, deadLetters, time, metrics);
    }

    @Bean
    ScheduledService partitionSweep(WorkQueues queues) {
        return new PartitionSweep(queues);
    }
}

package org.azuremail.blobset;

import org.azuremail.work.queue.ItemType;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Wires sets and jobs. Processes of every role can start jobs, and processes with the scheduler's role run them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(JobProperties.class)
@Import({
    JobStore.class,
    JobBlobs.class,
    ChunkWork.class,
    JobCompletion.class,
    SetJobs.class,
    JobService.class,
    JobSweep.class
})
class BlobSetConfiguration {

    @Bean
    ItemType<JobItem> jobItemType() {
        return JobItem.TYPE;
    }

    @Bean
    SetFunctions setFunctions(ObjectProvider<SetJob<?, ?>> functions) {
        return new SetFunctions(() -> functions.orderedStream().toList());
    }
}

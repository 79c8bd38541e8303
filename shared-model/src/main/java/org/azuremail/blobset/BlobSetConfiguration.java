package org.azuremail.blobset;

import java.util.List;
import java.util.stream.Stream;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.QueueService;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Sets, and work over all of a set. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(JobProperties.class)
@Import(BlobSets.class)
class BlobSetConfiguration {

    @Bean
    ItemType<JobItem> jobItemType() {
        return JobItem.TYPE;
    }

    @Bean
    JobParts jobParts(
            Storage storage,
            WorkQueues queues,
            ObjectProvider<SetJob<?, ?>> functions,
            ObjectProvider<ItemType<?>> types,
            ObjectProvider<QueueService<?>> services,
            IdSource ids,
            Time time) {
        return new JobParts(
                storage,
                queues,
                new SetFunctions(() -> functions.orderedStream().toList()),
                new KnownItems(() -> all(types, services)),
                ids,
                time);
    }

    @Bean
    SetJobs setJobs(JobParts parts) {
        return parts.setJobs();
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    JobService jobService(JobParts parts) {
        return parts.service();
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    JobSweep jobSweep(JobParts parts, JobProperties settings) {
        return parts.sweep(settings);
    }

    private static List<ItemType<?>> all(ObjectProvider<ItemType<?>> types, ObjectProvider<QueueService<?>> services) {
        Stream<ItemType<?>> ofServices = services.stream().map(QueueService::itemType);
        return Stream.concat(types.stream(), ofServices).toList();
    }
}

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
import org.azuremail.work.run.QueueService;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Sets, and work over all of a set. */
@Configuration(proxyBeanMethods = false)
@Import(BlobSets.class)
public class BlobSetConfiguration {

    @Bean
    ItemType<JobItem> jobItemType() {
        return JobItem.TYPE;
    }

    @Bean
    SetJobs setJobs(
            Storage storage,
            WorkQueues queues,
            ObjectProvider<ItemType<?>> types,
            ObjectProvider<QueueService<?>> services,
            IdSource ids,
            Time time) {
        return new SetJobs(new JobStore(storage), queues, known(types, services), ids, time);
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    JobService jobService(
            Storage storage,
            WorkQueues queues,
            ObjectProvider<SetMapper<?>> mappers,
            ObjectProvider<SetReducer<?>> reducers,
            ObjectProvider<ItemType<?>> types,
            ObjectProvider<QueueService<?>> services,
            IdSource ids,
            Time time) {
        JobStore jobs = new JobStore(storage);
        ChunkWork chunks = new ChunkWork(
                mappers.orderedStream().toList(),
                reducers.orderedStream().toList(),
                storage,
                queues,
                ids,
                JobWalk.USUAL_CHUNK);
        JobWalk walk = new JobWalk(jobs, storage.blobs(), queues, JobWalk.USUAL_CHUNK);
        return new JobService(jobs, walk, chunks, known(types, services), queues, time);
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    JobSweep jobSweep(Storage storage, WorkQueues queues, Time time) {
        return new JobSweep(new JobStore(storage), queues, time);
    }

    private static KnownItems known(ObjectProvider<ItemType<?>> types, ObjectProvider<QueueService<?>> services) {
        return new KnownItems(() -> all(types, services));
    }

    private static List<ItemType<?>> all(ObjectProvider<ItemType<?>> types, ObjectProvider<QueueService<?>> services) {
        Stream<ItemType<?>> ofServices = services.stream().map(QueueService::itemType);
        return Stream.concat(types.stream(), ofServices).toList();
    }
}

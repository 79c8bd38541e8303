package org.azuremail.work;

import java.util.List;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The worker runtime. Every bean that is a {@link QueueService} or a {@link ScheduledService} runs without more ado. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WorkProperties.class)
public class WorkConfiguration {

    @Bean
    InProcessSignals signals() {
        return new InProcessSignals();
    }

    @Bean
    WorkQueues workQueues(
            Storage storage,
            ObjectProvider<ItemType<?>> types,
            ObjectProvider<QueueService<?>> services,
            Signals signals) {
        return new WorkQueues(storage.queues(), new ItemTypes(() -> known(types, services)), signals);
    }

    @Bean
    DeadLetters deadLetters(Storage storage, WorkQueues queues) {
        return new DeadLetters(storage, queues);
    }

    @Bean
    Leases leases(Storage storage, Time time, IdSource ids, WorkProperties work, AzureMailProperties settings) {
        return new Leases(storage, time, ids, work.foreignLeaseGrace(settings.storage()));
    }

    private static List<ItemType<?>> known(
            ObjectProvider<ItemType<?>> types, ObjectProvider<QueueService<?>> services) {
        Stream<ItemType<?>> ofServices = services.stream().map(QueueService::itemType);
        return Stream.concat(types.stream(), ofServices).toList();
    }
}

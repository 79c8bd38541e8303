package org.azuremail.work;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.instance.Instances;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

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
            Signals signals,
            IdSource ids,
            Time time,
            WorkProperties settings) {
        Partitions partitions = new Partitions(storage, settings.partitions(), time);
        Payloads payloads =
                new Payloads(storage, ids, (int) settings.overflowOver().toBytes());
        return new WorkQueues(storage, payloads, partitions, new ItemTypes(() -> known(types, services)), signals);
    }

    @Bean
    DeadLetters deadLetters(Storage storage, WorkQueues queues) {
        return new DeadLetters(storage, queues);
    }

    @Bean
    Leases leases(Storage storage, Time time, IdSource ids, WorkProperties work, AzureMailProperties settings) {
        return new Leases(storage, time, ids, work.foreignLeaseGrace(settings.storage()));
    }

    @Bean
    Locks locks(Leases leases, Time time) {
        return new Locks(leases, time);
    }

    @Bean
    Stopping stopping() {
        return new Stopping();
    }

    @Bean
    WorkMetrics workMetrics(ObjectProvider<MeterRegistry> registry) {
        return new WorkMetrics(registry.getIfAvailable(SimpleMeterRegistry::new));
    }

    @Bean
    WorkRuntime workRuntime(
            Storage storage,
            DeadLetters deadLetters,
            Leases leases,
            Time time,
            WorkMetrics metrics,
            Stopping stopping,
            Environment environment) {
        SimpleAsyncTaskExecutor handlers = new SimpleAsyncTaskExecutor("handler-");
        handlers.setVirtualThreads(Threading.VIRTUAL.isActive(environment));
        return new WorkRuntime(storage, deadLetters, leases, time, handlers, new Renewals(time), metrics, stopping);
    }

    @Bean
    Instances instances(Storage storage, Time time, IdSource ids, ObjectProvider<InstanceFacts> facts) {
        return new Instances(storage, time, ids, facts::orderedStream);
    }

    @Bean
    Services workServices(
            ObjectProvider<QueueService<?>> queueServices, ObjectProvider<ScheduledService> scheduledServices) {
        return Services.of(queueServices.orderedStream(), scheduledServices.orderedStream());
    }

    @Bean
    Presence presence(Instances instances, Services services, WorkRuntime runtime, AzureMailProperties process) {
        return new Presence(instances, () -> services.birth(HostName.find(), process.roles(), ""), runtime);
    }

    @Bean
    WorkerLoops workerLoops(
            WorkRuntime runtime,
            InProcessSignals signals,
            WorkProperties settings,
            Services services,
            Presence presence) {
        return new WorkerLoops(
                () -> services.workers(runtime, settings, signals), runtime, presence, settings.stopWithin());
    }

    private static List<ItemType<?>> known(
            ObjectProvider<ItemType<?>> types, ObjectProvider<QueueService<?>> services) {
        Stream<ItemType<?>> ofServices = services.stream().map(QueueService::itemType);
        return Stream.concat(types.stream(), ofServices).toList();
    }
}

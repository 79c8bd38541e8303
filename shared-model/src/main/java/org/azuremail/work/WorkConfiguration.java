package org.azuremail.work;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.storage.version.StoreGate;
import org.azuremail.time.Time;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.instance.Instances.Registration;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.lease.LeaseRenewals;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.lease.Locks;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.FailureLog;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkMetrics;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.run.Workload;
import org.azuremail.work.service.LocalService;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.QueueServices;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.service.Tuning;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.SignalServer;
import org.azuremail.work.signal.Signals;
import org.azuremail.work.signal.WakeUp;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.thread.Threading;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** The worker runtime. Every bean that is a {@link QueueService} or a {@link ScheduledService} runs automatically. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WorkProperties.class)
@Import({SignalConfiguration.class, DeadLetters.class, Locks.class, StopFlag.class})
class WorkConfiguration {

    private static final long HANDLER_RESTS_SECONDS = 5;

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
        return new WorkQueues(
                storage,
                payloads,
                partitions,
                () -> Stream.<ItemType<?>>concat(
                                types.stream(), services.stream().map(QueueService::itemType))
                        .toList(),
                signals);
    }

    @Bean
    Holders holders(IdSource ids, WorkProperties work, AzureMailProperties settings) {
        boolean oneMachine = settings.storage() == StorageKind.EMBEDDED
                && work.foreignLeaseGrace(settings.storage()).isZero();
        return oneMachine ? Holders.onThisHost(settings.dataDir().resolve("processes"), ids) : Holders.anywhere(ids);
    }

    @Bean
    Leases leases(
            Storage storage,
            Time time,
            Holders holders,
            WorkProperties work,
            AzureMailProperties settings,
            StoreGate gate) {
        return new Leases(storage, time, holders, work.foreignLeaseGrace(settings.storage()), gate);
    }

    @Bean
    WorkMetrics workMetrics(ObjectProvider<MeterRegistry> registry) {
        return new WorkMetrics(registry.getIfAvailable(SimpleMeterRegistry::new));
    }

    @Bean
    Workload workload(WorkMetrics metrics) {
        return metrics.workload();
    }

    @Bean
    WorkRuntime workRuntime(
            Storage storage,
            DeadLetters deadLetters,
            Leases leases,
            Time time,
            WorkMetrics metrics,
            StopFlag stopFlag,
            Switches switches,
            Instances instances,
            WorkProperties settings,
            Environment environment) {
        Executor handlers = Threading.VIRTUAL.isActive(environment) ? virtualHandlers() : reusedHandlers();
        Duration drainWithin = DurationStyle.detectAndParse(
                environment.getProperty("azuremail.operations.drain-within", Tuning.DRAIN_WITHIN));
        EffectiveTuning tuner = new EffectiveTuning(switches, settings, instances, drainWithin, time);
        return new WorkRuntime(
                storage,
                deadLetters,
                leases,
                time,
                handlers,
                new LeaseRenewals(time),
                metrics,
                stopFlag,
                tuner,
                new FailureLog(time));
    }

    private static Executor virtualHandlers() {
        SimpleAsyncTaskExecutor handlers = new SimpleAsyncTaskExecutor("handler-");
        handlers.setVirtualThreads(true);
        return handlers;
    }

    /**
     * Returns an executor with as many threads as items are handled at the same time. Creating a thread costs more than
     * handling many an item does, so a thread waits for the next item before it ends.
     */
    static ThreadPoolExecutor reusedHandlers() {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                HANDLER_RESTS_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new CustomizableThreadFactory("handler-"));
    }

    @Bean
    Services workServices(
            ObjectProvider<QueueService<?>> queueServices,
            ObjectProvider<QueueServices> more,
            ObjectProvider<ScheduledService> scheduledServices,
            ObjectProvider<LocalService> localServices) {
        Stream<QueueService<?>> several = more.orderedStream().flatMap(some -> some.all().stream());
        return new Services(
                Stream.concat(queueServices.orderedStream(), several).toList(),
                scheduledServices.orderedStream().toList(),
                localServices.orderedStream().toList());
    }

    @Bean
    InstanceFacts workFacts(Services services, WorkProperties settings) {
        return () -> services.facts(settings);
    }

    @Bean
    WorkerContext context(
            WorkRuntime runtime,
            WorkProperties settings,
            InProcessSignals signals,
            MessageActivity activity,
            Switches switches,
            SignalCheck signalCheck,
            AzureMailProperties process) {
        return new WorkerContext(
                runtime,
                settings,
                signals,
                activity,
                switches,
                signalCheck::mustPoll,
                settings.assumesOnlyProcess(process.roles()));
    }

    @Bean
    Supplier<InstanceLifecycle> lifecycle(
            Instances instances,
            Services services,
            SignalServer server,
            SignalConfiguration.RemoteSignals remoteSignals,
            WakeUp switchesChanged,
            SignalCheck signalCheck,
            WorkerContext context,
            AzureMailProperties process) {
        Function<String, Registration> birth = address -> services.registration(hostName(), process.roles(), address);
        return () -> new InstanceLifecycle(
                instances, birth, server, remoteSignals.signals(), switchesChanged, signalCheck, context);
    }

    /** Returns the host's name for admins to read. Other processes may be unable to reach the host by it. */
    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }

    @Bean
    WorkerLoops workerLoops(Services services, Supplier<InstanceLifecycle> lifecycle, WorkerContext context) {
        return new WorkerLoops(() -> services.workers(context), lifecycle, context);
    }
}

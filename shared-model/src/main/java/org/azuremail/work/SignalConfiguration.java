package org.azuremail.work;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.AzureMailProperties.StorageKind;
import org.azuremail.id.IdSource;
import org.azuremail.id.InstallationKey;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.signal.HttpSignalSender;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.SignalRouter;
import org.azuremail.work.signal.SignalSender;
import org.azuremail.work.signal.SignalServer;
import org.azuremail.work.signal.Signals;
import org.azuremail.work.signal.WakeUp;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Lets the processes of the installation know of each other and wake each other. */
@Configuration(proxyBeanMethods = false)
@Import({MessageActivity.class, HttpSignalSender.class, InProcessSignals.class, SignalInbox.class, Switches.class})
class SignalConfiguration {

    /**
     * Sends to other processes the signals that this process alone cannot serve.
     *
     * @param greetBack sends a greeting to an instance, given its id and address
     */
    record RemoteSignals(Consumer<Signal> signals, BiConsumer<String, String> greetBack) {}

    /** The thread pool that sends signals. It has its own type because it is for nothing else. */
    record SignalThreads(Executor executor) {}

    @Bean
    WakeUp switchesChanged() {
        return new WakeUp();
    }

    @Bean
    Instances instances(Storage storage, Time time, Holders holders, ObjectProvider<InstanceFacts> facts) {
        return new Instances(storage, time, holders, facts::orderedStream);
    }

    @Bean
    InstallationKey signalKey(Storage storage, IdSource ids, Time time) {
        return new InstallationKey(storage.tables(), "signals", ids, time);
    }

    @Bean
    SignalThreads signalThreads() {
        return new SignalThreads(SignalRouter.threads());
    }

    @Bean
    RemoteSignals remoteSignals(
            Instances instances,
            SignalSender sender,
            SignalThreads threads,
            Time time,
            ObjectProvider<MeterRegistry> registry,
            WorkProperties work,
            AzureMailProperties process) {
        if (work.assumesOnlyProcess(process.roles())) {
            return new RemoteSignals(nobodyIsThere -> {}, (nobody, nowhere) -> {});
        }
        MeterRegistry meters = registry.getIfAvailable(SimpleMeterRegistry::new);
        SignalRouter router = new SignalRouter(instances, sender, threads.executor(), new Random(), time, meters);
        return new RemoteSignals(router::send, router::greetBack);
    }

    @Bean
    Signals signals(InProcessSignals local, MessageActivity activity, RemoteSignals remoteSignals) {
        return new SharedSignals(local, activity, remoteSignals.signals());
    }

    @Bean
    SignalCheck signalCheck(
            ObjectProvider<Instances> instances,
            SignalSender sender,
            InProcessSignals local,
            WorkProperties work,
            Time time) {
        return new SignalCheck(
                instances::getObject, sender, local, work.signals().greetEvery(), new Random(), time);
    }

    @Bean
    SignalServer signalServer(
            SignalInbox inbox,
            InstallationKey key,
            Instances instances,
            Time time,
            WorkProperties work,
            AzureMailProperties process) {
        boolean oneMachine = process.storage() == StorageKind.EMBEDDED;
        return new SignalServer(work.signals().complete(oneMachine), inbox::receive, key, instances::self, time);
    }
}

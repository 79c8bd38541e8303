package org.azuremail.work;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.storage.Storage;
import org.azuremail.storage.simulated.SimulatedStorage;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.run.DrivenLoops;
import org.azuremail.work.run.Loop;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.signal.Signal;
import org.azuremail.work.signal.SignalSender;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * Whole processes on one simulated storage and one driven clock. All their services are real. The turns of their loops
 * run one after the other, without threads of their own, and signals arrive at other processes at once.
 */
public final class DrivenWorld {

    public final ManualTime time = new ManualTime();
    public final SimulatedStorage storage = new SimulatedStorage(time);
    private final DrivenLoops loops = new DrivenLoops(time);
    private final Map<ConfigurableApplicationContext, List<Loop>> processes = new LinkedHashMap<>();
    private final Map<ConfigurableApplicationContext, InstanceLifecycle> presences = new HashMap<>();
    private boolean signalsArrive = true;

    /** Replaces a process's surroundings by this world, before its context is refreshed. */
    public void surround(GenericApplicationContext context) {
        context.setAllowBeanDefinitionOverriding(true);
        context.registerBean("time", Time.class, () -> time);
        context.registerBean("storage", Storage.class, storage::storage);
        context.registerBean("signalPost", SignalSender.class, () -> this::post, post -> post.setPrimary(true));
        context.registerBean(
                "signalThreads",
                SignalConfiguration.SignalThreads.class,
                () -> new SignalConfiguration.SignalThreads(Runnable::run));
        context.registerBean("workRuntime", WorkRuntime.class, () -> runtime(context));
        context.registerBean("workerLoops", String.class, () -> "are driven by hand");
    }

    private static WorkRuntime runtime(GenericApplicationContext context) {
        return InlineWork.runtime(
                context.getBean(Storage.class),
                context.getBean(DeadLetters.class),
                context.getBean(Leases.class),
                context.getBean(Time.class),
                context.getBean(StopFlag.class));
    }

    /** Starts the work of a process; its loops take their first turns with the next {@link #run}. */
    @SuppressWarnings("unchecked")
    public void begin(ConfigurableApplicationContext process) {
        WorkerContext context = process.getBean(WorkerContext.class);
        InstanceLifecycle lifecycle =
                ((java.util.function.Supplier<InstanceLifecycle>) process.getBean("lifecycle")).get();
        lifecycle.begin();
        List<Loop> its = new java.util.ArrayList<>();
        process.getBean(Services.class).workers(context).forEach(worker -> its.add(worker.loop()));
        its.add(lifecycle.loop());
        its.add(context.runtime().renewalsLoop());
        its.forEach(loops::add);
        processes.put(process, its);
        presences.put(process, lifecycle);
    }

    /** Stops a process in an orderly way. */
    public void stop(ConfigurableApplicationContext process) {
        kill(process);
        InstanceLifecycle lifecycle = presences.remove(process);
        lifecycle.stopListening();
        lifecycle.end();
    }

    /** Kills a process, after which it does nothing. */
    public void kill(ConfigurableApplicationContext process) {
        processes.getOrDefault(process, List.of()).forEach(loops::remove);
        processes.remove(process);
    }

    public void run(Duration duration) {
        loops.run(duration);
    }

    /** Sets whether signals reach other processes. */
    public void signalsArrive(boolean they) {
        signalsArrive = they;
    }

    /** Returns the number of storage calls of all processes while this time passes. */
    public long callsWithin(Duration duration) {
        long before = storage.calls();
        run(duration);
        return storage.calls() - before;
    }

    private Signal.Answer post(String instance, String address, Signal signal) {
        if (!signalsArrive) {
            return Signal.Answer.SILENT;
        }
        return processes.keySet().stream()
                .filter(process -> process.getBean(Instances.class)
                        .self()
                        .filter(self -> self.id().equals(instance))
                        .isPresent())
                .findFirst()
                .map(process -> process.getBean(SignalInbox.class).receive(signal))
                .orElse(Signal.Answer.SILENT);
    }
}

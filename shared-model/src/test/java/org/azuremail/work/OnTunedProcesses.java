package org.azuremail.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.azuremail.id.SeededIds;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.run.DrivenLoops;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.run.Workshop;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.InProcessSignals;
import org.azuremail.work.signal.MessageActivity;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/** Several processes on one storage that learn about admins' changes. */
abstract class OnTunedProcesses {

    static final Duration MINUTE = Duration.ofMinutes(1);

    final Workshop shop = new Workshop();
    final DrivenLoops loops = new DrivenLoops(shop.time);
    final List<OneProcess> processes = new ArrayList<>();

    /** All parts of one process that tuning affects. The other processes learn about its changes. */
    final class OneProcess {

        final InProcessSignals local = new InProcessSignals();
        final Instances instances = new Instances(
                shop.storage.storage(), shop.time, new SeededIds(processes.size() + 40)::token, Stream::empty);
        final Switches switches = new Switches(shop.storage.storage(), new Broadcast(), local, shop.time);
        final WorkerContext context;

        OneProcess(Map<String, String> settings) {
            WorkProperties bound = Settings.of(settings);
            WorkRuntime runtime = InlineWork.runtime(
                    shop.storage.storage(),
                    new DeadLetters(shop.storage.storage(), shop.queues),
                    InlineWork.leases(
                            shop.storage.storage(), shop.time, new SeededIds(processes.size() + 1), Duration.ZERO),
                    shop.time,
                    Runnable::run,
                    new StopFlag(),
                    new EffectiveTuning(switches, bound, instances, Duration.ofMinutes(5), shop.time));
            context = new WorkerContext(
                    runtime, bound, local, new MessageActivity(shop.time), switches, () -> false, false);
            processes.add(this);
        }

        void tune(TuningOverride tuned) {
            switches.tune(tuned.name(), now -> Optional.of(tuned));
        }

        int workers() {
            return context.runtime()
                    .metrics()
                    .workload()
                    .snapshot()
                    .get("sheets")
                    .places();
        }

        OneProcess worksOn(QueueService<?>... services) {
            instances.register(new Instances.Registration(
                    "mill", java.util.Set.of("sender"), java.util.Set.of("sheets"), java.util.Set.of(), ""));
            instances.heartbeat();
            processes.forEach(process -> process.instances.markStale());
            loops.add(QueueWorker.of(context, List.of(services)).loop());
            return this;
        }

        OneProcess runs(ScheduledService service) {
            loops.add(ScheduledWorker.of(context, service).loop());
            return this;
        }

        private final class Broadcast implements Signals {
            @Override
            public void workAvailable(String queue) {}

            @Override
            public void runSoon(String scheduledService) {}

            @Override
            public void switchesChanged() {
                processes.stream().filter(other -> other != OneProcess.this).forEach(other -> other.switches.refresh());
            }
        }
    }

    OneProcess process() {
        return new OneProcess(Map.of());
    }

    TuningOverride tuned(
            String name, @Nullable Duration interval, @Nullable Integer priority, @Nullable Integer perSecond) {
        return new TuningOverride(name, interval, priority, perSecond, shop.time.instant(), "ann");
    }
}

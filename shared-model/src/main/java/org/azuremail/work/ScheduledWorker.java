package org.azuremail.work;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.work.pace.SafetyPoll;
import org.azuremail.work.run.Loop;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.schedule.ServiceRunner;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.WakeUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of a scheduled service. It takes a turn when the rest that the runner asked for ends, or when a signal
 * comes.
 */
final class ScheduledWorker implements Worker {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduledWorker.class);

    private final String name;
    private final ServiceRunner runner;
    private final Switches switches;
    private final Loop loop;
    private Optional<TuningOverride> tuned = Optional.empty();

    private ScheduledWorker(String name, ServiceRunner runner, WakeUp wakeUp, Switches switches, WorkRuntime runtime) {
        this.name = name;
        this.runner = runner;
        this.switches = switches;
        this.loop = runtime.loop(name, this::takeTurn, wakeUp);
    }

    static ScheduledWorker of(WorkerContext context, ScheduledService service) {
        WorkRuntime runtime = context.runtime();
        ServiceRunner runner = ServiceRunner.of(service, runtime, context.onlyProcess());
        WakeUp wakeUp = new WakeUp();
        context.signals().listenToService(service.name(), wakeUp, runner::runsHere);
        return new ScheduledWorker(service.name(), runner, wakeUp, context.switches(), runtime);
    }

    /** Takes a turn. A wake-up because the interval was changed does not mean that the service should run. */
    private Duration takeTurn(boolean woken) {
        if (switches.stopped(name)) {
            runner.release();
            return SafetyPoll.NEVER;
        }
        Optional<TuningOverride> now = switches.tuned(name);
        boolean retuned = !now.equals(tuned);
        tuned = now;
        return woken && !retuned ? runner.runSoon() : runner.runOnce();
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public boolean join(Duration atMost) throws InterruptedException {
        boolean ended = loop.join(atMost);
        if (ended) {
            release();
        }
        return ended;
    }

    private void release() {
        try {
            runner.release();
        } catch (RuntimeException endsByItself) {
            LOG.info("the lease of {} ends by itself: {}", name, endsByItself.toString());
        }
    }

    @Override
    public String toString() {
        return name;
    }
}

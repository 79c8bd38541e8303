package org.azuremail.work.schedule;

import java.time.Duration;
import org.azuremail.time.Durations;
import org.azuremail.time.Time;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.ScheduledService;
import org.jspecify.annotations.Nullable;

/**
 * Runs one scheduled service in a process that is the only one: without a lease, and only when the service asks for it.
 */
final class SingleProcessRunner implements ServiceRunner {

    private final WorkRuntime runtime;
    private final Time time;
    private final ScheduledService service;
    private @Nullable Duration dueElapsed;
    private @Nullable Duration beganElapsed;
    private final SignalledPace pace = new SignalledPace();
    private boolean soon;

    SingleProcessRunner(WorkRuntime runtime, ScheduledService service) {
        this.runtime = runtime;
        this.time = runtime.time();
        this.service = service;
    }

    @Override
    public Duration runOnce() {
        Duration wait = untilDue();
        if (!wait.isNegative() && !wait.isZero()) {
            return wait;
        }
        soon = false;
        Duration began = time.elapsed();
        beganElapsed = began;
        runtime.run(service);
        pace.ran(time.elapsed().minus(began));
        dueElapsed = time.elapsed().plus(rest());
        return untilDue();
    }

    /**
     * Returns the time until the next run: the one that the service asks for, or else its interval, which admins may
     * have changed.
     */
    private Duration rest() {
        Duration rest = service.restAsOnlyProcess();
        return rest.equals(service.interval()) ? runtime.tuning().interval(service) : rest;
    }

    @Override
    public Duration runSoon() {
        soon = true;
        return runOnce();
    }

    @Override
    public void release() {
        dueElapsed = null;
    }

    @Override
    public boolean runsHere() {
        return true;
    }

    private Duration untilDue() {
        Duration now = time.elapsed();
        Duration due = dueElapsed == null ? now : dueElapsed;
        if (soon && beganElapsed != null) {
            Duration early = beganElapsed.plus(pace.between());
            due = Durations.min(early, due);
        }
        return due.minus(now);
    }
}

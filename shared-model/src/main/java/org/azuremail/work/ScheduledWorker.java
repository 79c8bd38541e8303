package org.azuremail.work;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop of a scheduled service: looks when the runner says so, or when a signal comes. */
final class ScheduledWorker implements Worker {

    private static final Logger log = LoggerFactory.getLogger(ScheduledWorker.class);

    private final String name;
    private final ScheduledRunner runner;
    private final Loop loop;

    private ScheduledWorker(String name, ScheduledRunner runner, WakeUp wakeUp, WorkRuntime runtime) {
        this.name = name;
        this.runner = runner;
        this.loop = new Loop("work " + name, this::takeTurn, wakeUp, runtime.time(), runtime.metrics());
    }

    static ScheduledWorker of(WorkRuntime runtime, ScheduledService service, InProcessSignals signals) {
        WakeUp wakeUp = new WakeUp();
        signals.listenToService(service.name(), wakeUp);
        return new ScheduledWorker(service.name(), runtime.runner(service), wakeUp, runtime);
    }

    private Duration takeTurn(boolean woken) {
        return woken ? runner.runSoon() : runner.runOnce();
    }

    @Override
    public void start() {
        loop.start();
    }

    @Override
    public void stop() {
        loop.stop();
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
            log.info("the lease of {} ends by itself: {}", name, endsByItself.toString());
        }
    }

    @Override
    public void interrupt() {
        loop.interrupt();
    }

    @Override
    public String toString() {
        return name;
    }
}

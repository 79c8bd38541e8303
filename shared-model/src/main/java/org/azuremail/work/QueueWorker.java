package org.azuremail.work;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.azuremail.time.Time;

/** The loop of a queue service: takes items while there are any, then looks ever more rarely until a signal comes. */
final class QueueWorker implements Worker {

    private static final Duration UNTIL_A_PLACE_IS_FREE = Duration.ofMinutes(1);

    private final QueueRunner<?> runner;
    private final PollingCurve curve;
    private final Time time;
    private final Loop loop;

    QueueWorker(QueueRunner<?> runner, PollingCurve curve, WakeUp wakeUp, WorkRuntime runtime) {
        this.runner = runner;
        this.curve = curve;
        this.time = runtime.time();
        this.loop = new Loop("work " + runner.queue(), this::takeTurn, wakeUp, time, runtime.metrics());
    }

    static QueueWorker of(
            WorkRuntime runtime, List<QueueService<?>> pool, WorkProperties settings, InProcessSignals signals) {
        WakeUp wakeUp = new WakeUp();
        int places = pool.stream().mapToInt(settings::concurrencyOf).sum();
        QueueRunner<?> runner = runtime.pool(
                pool, places, wakeUp::signal, () -> ThreadLocalRandom.current().nextDouble());
        runner.queues().forEach(queue -> signals.listenToQueue(queue, wakeUp));
        PollingCurve curve = new PollingCurve(
                settings.maxIdle(), () -> ThreadLocalRandom.current().nextDouble());
        return new QueueWorker(runner, curve, wakeUp, runtime);
    }

    private Duration takeTurn(boolean woken) {
        if (runner.free() == 0) {
            return UNTIL_A_PLACE_IS_FREE;
        }
        if (runner.runOnce() > 0) {
            curve.reset();
            return Duration.ZERO;
        }
        if (woken) {
            curve.reset();
        }
        return runner.restWithin(curve.next());
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
        Deadline deadline = new Deadline(time, atMost);
        return loop.join(atMost) && runner.awaitIdle(deadline.left());
    }

    @Override
    public void interrupt() {
        loop.interrupt();
        runner.interrupt();
    }

    @Override
    public String toString() {
        return runner.queue();
    }
}

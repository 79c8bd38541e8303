package org.azuremail.work;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Deadline;
import org.azuremail.work.pace.Pace;
import org.azuremail.work.run.Loop;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.signal.WakeUp;

/**
 * The loop of a queue service. It takes items while the queue has any, then polls ever more rarely. In the end it waits
 * for a signal or the slow safety poll.
 */
final class QueueWorker implements Worker {

    private static final Duration UNTIL_A_PLACE_IS_FREE = Duration.ofMinutes(1);

    private final QueueRunner<?> runner;
    private final Pace pace;
    private final IdleRest idle;
    private final Switches switches;
    private final Time time;
    private final Loop loop;
    private boolean quiet;

    QueueWorker(QueueRunner<?> runner, Pace pace, IdleRest idle, WakeUp wakeUp, WorkerContext context) {
        this.runner = runner;
        this.pace = pace;
        this.idle = idle;
        this.switches = context.switches();
        this.time = context.runtime().time();
        this.loop = context.runtime().loop(runner.queueNames(), this::takeTurn, wakeUp);
    }

    /** @param pool the services that share places */
    static QueueWorker of(WorkerContext context, List<QueueService<?>> pool) {
        WorkProperties settings = context.settings();
        WakeUp wakeUp = new WakeUp();
        DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();
        boolean naive = settings.polling() == WorkProperties.Polling.NAIVE;
        int places = naive ? 1 : settings.placesOf(pool);
        int max = naive ? 1 : settings.mostPlacesOf(pool);
        QueueRunner<?> runner = new QueueRunner<>(context.runtime(), pool, places, max, wakeUp::signal, random);
        if (!naive) {
            pool.forEach(
                    service -> context.signals().listenToQueue(service.queue(), wakeUp, service.followsMessages()));
        }
        Pace pace = settings.pace(random);
        IdleRest idle = new IdleRest(
                pool,
                settings,
                context.activity(),
                context.mustPoll(),
                context.runtime().time());
        return new QueueWorker(runner, pace, idle, wakeUp, context);
    }

    private Duration takeTurn(boolean woken) {
        if (runner.queues().stream().allMatch(switches::stopped)) {
            return idle.whileStopped();
        }
        if (runner.free() <= 0) {
            boolean kept = runner.requestYield(queue -> !switches.stopped(queue));
            return kept ? QueueRunner.AGED_RUN_MIN_TIME : UNTIL_A_PLACE_IS_FREE;
        }
        if (runner.runOnce(queue -> !switches.stopped(queue), quiet && !woken) > 0) {
            quiet = false;
            pace.reset();
            idle.handled();
            return Duration.ZERO;
        }
        if (woken) {
            pace.reset();
        }
        Duration next = pace.next();
        Duration rest = pace.ended() ? idle.rest() : idle.atMost(next);
        Duration within = runner.restWithin(rest);
        quiet = pace.ended() && idle.quiet() && within.equals(rest);
        return within;
    }

    @Override
    public Loop loop() {
        return loop;
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
        return runner.queueNames();
    }
}

package org.azuremail.work.run;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.azuremail.work.pace.PollingCurve;
import org.azuremail.work.signal.WakeUp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that takes turns and rests in between until the process stops. It never dies: a turn that fails is logged
 * ({@link FailureLog}), counted, and taken again after a growing rest.
 */
public final class Loop {

    private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
    private static final Duration MAX_REST = Duration.ofSeconds(10);

    /** One turn of a loop. */
    public interface Turn {

        /**
         * Takes one turn.
         *
         * @param woken whether a signal ended the previous rest
         * @return how long to rest unless a signal comes
         */
        Duration take(boolean woken) throws Exception;
    }

    private final String name;
    private final Turn turn;
    private final WakeUp wakeUp;
    private final WorkMetrics metrics;
    private final FailureLog failures;
    private final PollingCurve afterFailure =
            new PollingCurve(MAX_REST, () -> ThreadLocalRandom.current().nextDouble());
    private volatile boolean stopped;
    private @Nullable Thread thread;

    public Loop(String name, Turn turn, WakeUp wakeUp, WorkMetrics metrics, FailureLog failures) {
        this.name = name;
        this.turn = turn;
        this.wakeUp = wakeUp;
        this.failures = failures;
        this.metrics = metrics;
    }

    public void start() {
        thread = new Thread(this::run, name);
        thread.start();
    }

    /** Stops further turns. A turn in progress continues. May be called before the start, and more than once. */
    public void stop() {
        stopped = true;
        wakeUp.signal();
    }

    /** @return whether the loop has ended */
    public boolean join(Duration atMost) throws InterruptedException {
        Thread running = thread;
        if (running == null) {
            return true;
        }
        running.join(Math.max(1, atMost.toMillis()));
        return !running.isAlive();
    }

    public void interrupt() {
        Thread running = thread;
        if (running != null) {
            running.interrupt();
        }
    }

    private void run() {
        boolean woken = false;
        while (!stopped) {
            Duration rest = takeTurn(woken);
            woken = rest(rest);
        }
    }

    /** Returns whether a signal came since the last turn; for tests that drive a loop by hand. */
    public boolean woken() {
        return wakeUp.take();
    }

    /** Takes one turn, handles its failure if it fails, and returns how long to rest. */
    public Duration takeTurn(boolean woken) {
        try {
            Duration rest = turn.take(woken);
            afterFailure.reset();
            return rest;
        } catch (Throwable e) {
            metrics.loopFailed(name);
            logUnlessStopped(e);
            return afterFailure.next();
        }
    }

    @Override
    public String toString() {
        return name;
    }

    private boolean rest(Duration rest) {
        try {
            return wakeUp.await(rest);
        } catch (InterruptedException onlyStopEndsThisLoop) {
            return false;
        }
    }

    private void logUnlessStopped(Throwable problem) {
        if (stopped) {
            LOG.info("{} ended its last turn by {}", name, problem.toString());
        } else {
            failures.failed(name, problem);
        }
    }
}

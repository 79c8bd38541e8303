package org.azuremail.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.work.lease.Deadline;
import org.azuremail.work.run.Loop;
import org.azuremail.work.run.WorkRuntime;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Runs every queue service and scheduled service of this process, each in a loop of its own, from when everything else
 * is ready. When the process stops, no new work is taken. Work that has begun may end in order within the time set for
 * it, and is then interrupted. If it does not end even then, another process takes it up when its item becomes visible
 * again.
 */
final class WorkerLoops implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerLoops.class);

    /** The part of the time to stop that is kept for work that has to be interrupted. */
    private static final Duration INTERRUPT_GRACE = Duration.ofSeconds(5);

    /** The phase of the web server's graceful shutdown, so that both use the same seconds. */
    private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 1024;

    private final Supplier<List<Worker>> makeWorkers;
    private final WorkRuntime runtime;
    private final Supplier<InstanceLifecycle> makeLifecycle;
    private final Duration stopWithin;
    private List<Worker> workers = List.of();
    private Optional<Loop> renewals = Optional.empty();
    private Optional<InstanceLifecycle> lifecycle = Optional.empty();
    private volatile boolean running;

    /** @param makeWorkers called at each start, like {@code makeLifecycle}, because a paused process starts again */
    WorkerLoops(Supplier<List<Worker>> makeWorkers, Supplier<InstanceLifecycle> makeLifecycle, WorkerContext context) {
        this.makeWorkers = makeWorkers;
        this.makeLifecycle = makeLifecycle;
        this.runtime = context.runtime();
        this.stopWithin = context.settings().stopWithin();
    }

    @Override
    public synchronized void start() {
        if (!running) {
            running = true;
            runtime.stopFlag().reset();
            renewals = Optional.of(runtime.renewalsLoop());
            renewals.get().start();
            workers = makeWorkers.get();
            workers.forEach(Worker::start);
            InstanceLifecycle started = makeLifecycle.get();
            lifecycle = Optional.of(started);
            started.begin();
            started.loop().start();
            LOG.info("working on {}", workers.isEmpty() ? "nothing: no role of this process has work" : workers);
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    @Override
    public void stop(Runnable stopped) {
        runtime.stopFlag().request();
        Runnable stop = () -> {
            stop();
            stopped.run();
        };
        new Thread(stop, "work stop").start();
    }

    @Override
    public synchronized void stop() {
        runtime.stopFlag().request();
        lifecycle.ifPresent(InstanceLifecycle::stopListening);
        workers.forEach(Worker::stop);
        try {
            endInOrder();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        renewals.ifPresent(Loop::stop);
        lifecycle.ifPresent(InstanceLifecycle::end);
        running = false;
    }

    private void endInOrder() throws InterruptedException {
        Deadline end = new Deadline(runtime.time(), stopWithin);
        List<Worker> late = unfinished(workers, new Deadline(runtime.time(), stopWithin.minus(INTERRUPT_GRACE)));
        late.forEach(Worker::interrupt);
        List<Worker> lost = unfinished(late, end);
        if (!lost.isEmpty()) {
            LOG.warn("{} did not end within {}: their items show again later", lost, stopWithin);
        }
        workers = List.of();
    }

    private static List<Worker> unfinished(List<Worker> workers, Deadline deadline) throws InterruptedException {
        List<Worker> unfinished = new ArrayList<>();
        for (Worker worker : workers) {
            if (!worker.join(deadline.left())) {
                unfinished.add(worker);
            }
        }
        return unfinished;
    }
}

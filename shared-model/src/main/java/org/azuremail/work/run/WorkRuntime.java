package org.azuremail.work.run;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.lease.Renewals;
import org.azuremail.work.lease.WorkTable;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.service.Tuning;

/**
 * The parts that all runners of a process share. Usually {@code WorkerLoops} drives the runners. A test drives them by hand:
 * handlers run on its thread, and it calls {@code runOnce()} of each runner, and {@link #renew()} where time passes.
 */
public final class WorkRuntime {

    private static final Runnable NOBODY_WAITS = () -> {};

    private final Storage storage;
    private final DeadLetters deadLetters;
    private final Leases leases;
    private final FailureCounts tries;
    private final Time time;
    private final Executor executor;
    private final Renewals renewals;
    private final WorkMetrics metrics;
    private final FailureLog failures;
    private final Stopping stopping;
    private final Tuning tuning;

    public WorkRuntime(
            Storage storage,
            DeadLetters deadLetters,
            Leases leases,
            Time time,
            Executor executor,
            Renewals renewals,
            WorkMetrics metrics,
            Stopping stopping) {
        this(storage, deadLetters, leases, time, executor, renewals, metrics, stopping, Tuning.NONE);
    }

    /** @param tuning what admins changed while the service runs */
    public WorkRuntime(
            Storage storage,
            DeadLetters deadLetters,
            Leases leases,
            Time time,
            Executor executor,
            Renewals renewals,
            WorkMetrics metrics,
            Stopping stopping,
            Tuning tuning) {
        this.tuning = tuning;
        this.storage = storage;
        this.deadLetters = deadLetters;
        this.leases = leases;
        this.tries = new FailureCounts(WorkTable.of(storage));
        this.time = time;
        this.executor = executor;
        this.renewals = renewals;
        this.metrics = metrics;
        this.failures = new FailureLog(time);
        this.stopping = stopping;
    }

    public <T> QueueRunner<T> runner(QueueService<T> service) {
        return runner(service, service.concurrency(), NOBODY_WAITS);
    }

    public ScheduledRunner runner(ScheduledService service) {
        return new ScheduledRunner(this, service);
    }

    /**
     * Renews the items and leases of running work that are due for it.
     *
     * @return how long none will be
     */
    public Duration renew() {
        return renewals.runOnce();
    }

    public Loop renewalsLoop() {
        return new Loop("work renewals", woken -> renewals.runOnce(), renewals.wakeUp(), metrics, failures);
    }

    public <T> QueueRunner<T> runner(QueueService<T> service, int concurrency, Runnable onFree) {
        return pool(List.of(service), concurrency, concurrency, onFree, () -> ThreadLocalRandom.current()
                .nextDouble());
    }

    /**
     * Services that share their places; the random numbers, from 0 to 1, choose among their queues.
     *
     * @param most up to how many items at the same time while many wait
     */
    public <T> QueueRunner<T> pool(
            List<? extends QueueService<? extends T>> services,
            int concurrency,
            int most,
            Runnable onFree,
            DoubleSupplier random) {
        return new QueueRunner<>(this, services, new Places(concurrency, most), onFree, random);
    }

    Partitions partitions() {
        return deadLetters.queues().partitions();
    }

    <T> Handling<T> handling(QueueService<T> service, HeldItem held) {
        return new Handling<>(service, held, this);
    }

    DeadLetters deadLetters() {
        return deadLetters;
    }

    WorkQueues queues() {
        return deadLetters.queues();
    }

    Payloads payloads() {
        return deadLetters.queues().payloads();
    }

    FailureCounts tries() {
        return tries;
    }

    Storage storage() {
        return storage;
    }

    public Leases leases() {
        return leases;
    }

    public Time time() {
        return time;
    }

    public Executor executor() {
        return executor;
    }

    Renewals renewals() {
        return renewals;
    }

    public WorkMetrics metrics() {
        return metrics;
    }

    public FailureLog failures() {
        return failures;
    }

    public Stopping stopping() {
        return stopping;
    }

    Tuning tuning() {
        return tuning;
    }
}

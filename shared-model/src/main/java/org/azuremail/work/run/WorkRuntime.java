package org.azuremail.work.run;

import java.time.Duration;
import java.util.concurrent.Executor;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.time.Time;
import org.azuremail.work.lease.LeaseRenewals;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.service.Tuning;
import org.azuremail.work.signal.WakeUp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that all runners of a process share. Usually {@code WorkerLoops} drives the runners. A test drives them by
 * hand: handlers run on its thread, and it calls {@code runOnce()} of each runner, and of {@link #renewals} as time
 * passes.
 */
public record WorkRuntime(
        Storage storage,
        DeadLetters deadLetters,
        Leases leases,
        Time time,
        Executor executor,
        LeaseRenewals renewals,
        WorkMetrics metrics,
        StopFlag stopFlag,
        Tuning tuning,
        FailureLog failures) {
    private static final Logger LOG = LoggerFactory.getLogger(WorkRuntime.class);

    public Loop renewalsLoop() {
        return loop("renewals", woken -> renewals.runOnce(), renewals.wakeUp());
    }

    public Loop loop(String work, Loop.Turn turn, WakeUp wakeUp) {
        return new Loop("work " + work, turn, wakeUp, metrics, failures);
    }

    /** Runs a scheduled service once, and records whether the run succeeded. */
    public void run(ScheduledService service) {
        Duration began = time.elapsed();
        boolean succeeded = false;
        try {
            service.run();
            succeeded = true;
        } catch (InterruptedException e) {
            LOG.info("{} was interrupted by the stop", service.name());
        } catch (Exception e) {
            failures.failed(service.name(), e);
        } finally {
            metrics.ran(service.name(), succeeded, time.elapsed().minus(began));
        }
    }

    WorkQueues queues() {
        return deadLetters.queues();
    }

    FailureCounts failureCounts() {
        return new FailureCounts(new Table(storage.tables(), "work"));
    }
}

package org.azuremail.work;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.storage.version.StoreGate;
import org.azuremail.time.Time;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.lease.LeaseRenewals;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.Partitions;
import org.azuremail.work.queue.Payloads;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.FailureLog;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkMetrics;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.Tuning;
import org.azuremail.work.signal.Signals;

/**
 * Parts of the runtime for tests that take every step by hand. Nothing runs without a call, and no signal announces new
 * work.
 */
public final class InlineWork {

    /** The size in bytes above which an item is stored in a blob. */
    public static final int OVERFLOW_OVER = 8 * 1024;

    private InlineWork() {}

    public static WorkQueues queues(Storage storage, ItemType<?>... types) {
        Payloads payloads = new Payloads(storage, IdSource.secure(), OVERFLOW_OVER);
        Partitions partitions = new Partitions(storage, Map.of(), Time.system());
        return new WorkQueues(storage, payloads, partitions, () -> List.of(types), Signals.NONE);
    }

    /** Returns a runtime whose handlers run on the thread that calls {@code runOnce()}. */
    public static WorkRuntime runtime(
            Storage storage, DeadLetters deadLetters, Leases leases, Time time, StopFlag stopFlag) {
        return runtime(storage, deadLetters, leases, time, Runnable::run, stopFlag, Tuning.NONE);
    }

    public static WorkRuntime runtime(
            Storage storage,
            DeadLetters deadLetters,
            Leases leases,
            Time time,
            Executor handlers,
            StopFlag stopFlag,
            Tuning tuning) {
        WorkMetrics metrics = new WorkMetrics(new SimpleMeterRegistry());
        return new WorkRuntime(
                storage,
                deadLetters,
                leases,
                time,
                handlers,
                new LeaseRenewals(time),
                metrics,
                stopFlag,
                tuning,
                new FailureLog(time));
    }

    /** Returns a runner that takes only the items of one service, with as many places as the service specifies. */
    public static <T> QueueRunner<T> runner(WorkRuntime runtime, QueueService<T> service) {
        return runner(runtime, service, service.concurrency(), () -> {});
    }

    public static <T> QueueRunner<T> runner(WorkRuntime runtime, QueueService<T> service, int places, Runnable onFree) {
        return new QueueRunner<>(runtime, List.of(service), places, places, onFree, Math::random);
    }

    /** Returns the leases of one process among any number of hosts. */
    public static Leases leases(Storage storage, Time time, IdSource ids, Duration foreignGrace) {
        return new Leases(storage, time, Holders.anywhere(ids), foreignGrace, StoreGate.ALWAYS_OPEN);
    }
}

package org.azuremail.blobset;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.azuremail.app.Wiring;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.ManualTime;
import org.azuremail.time.Time;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;

/** The jobs of one process, for tests of functions. Nothing runs without a call. */
public final class InlineJobs {

    private final Storage storage;
    private final ManualTime time;
    private final SetJobs jobs;
    private final QueueRunner<JobItem> runner;
    private final JobSweep sweep;

    public InlineJobs(Storage storage, ManualTime time, IdSource ids, Supplier<List<SetJob<?, ?>>> functions) {
        this.storage = storage;
        this.time = time;
        WorkQueues queues = InlineWork.queues(storage, JobItem.TYPE);
        Wiring parts = wiring(storage, queues, new SetFunctions(functions), ids, time);
        this.jobs = parts.get(SetJobs.class);
        this.sweep = parts.get(JobSweep.class);
        WorkRuntime runtime = InlineWork.runtime(
                storage,
                new DeadLetters(storage, queues),
                InlineWork.leases(storage, time, ids, Duration.ZERO),
                time,
                new StopFlag());
        this.runner = InlineWork.runner(runtime, parts.get(JobService.class));
    }

    /** Returns jobs wired as in production. */
    static Wiring wiring(Storage storage, WorkQueues queues, SetFunctions functions, IdSource ids, Time time) {
        Wiring wiring = new Wiring("storage", "blobset");
        wiring.give(storage);
        wiring.give(queues);
        wiring.give(functions);
        wiring.give(ids);
        wiring.give(time);
        wiring.give(new JobProperties(Duration.ofDays(30), Duration.ofDays(7)));
        return wiring;
    }

    public SetJobs jobs() {
        return jobs;
    }

    /** Runs a job until it is over and settled, even if its items were lost. */
    public void finish(String job) {
        for (int turn = 0; turn < 500 && !settled(job); turn++) {
            if (runner.runOnce() == 0) {
                time.advance(Duration.ofMinutes(1));
            }
            if (turn % 50 == 49) {
                time.advance(Duration.ofMinutes(10));
                sweep.run();
            }
        }
    }

    private boolean settled(String job) {
        return new JobStore(storage)
                .find(job)
                .filter(found -> JobCompletion.SETTLED.equals(found.value().claimedUntil()))
                .isPresent();
    }
}

package org.azuremail.blobset;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.app.Wiring;
import org.azuremail.id.IdSource;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.time.ManualTime;
import org.azuremail.work.InlineWork;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.StopFlag;
import org.azuremail.work.run.WorkRuntime;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;

/** The sets and jobs of one process on a storage, with a set of numbers. */
final class JobWorld {

    static final String SET = "numbers.of/all \u00e9";

    static final int MANY = 64;

    final String set;

    private static final ItemType<?>[] TYPES = {JobItem.TYPE, NumberJobs.SQUARED, NumberJobs.ALL_MAPPED, NumberJobs.SUM
    };

    final Storage storage;
    final ManualTime time;
    final SetJobs jobs;
    final BlobSet<Long> numbers;
    private final WorkQueues queues;
    private final IdSource ids;
    final QueueRunner<JobItem> runner;
    final JobSweep sweep;

    JobWorld(Storage storage, ManualTime time, long seed) {
        this(storage, time, seed, MANY, SET);
    }

    /** @param pieceSize the number of values in a piece */
    JobWorld(Storage storage, ManualTime time, long seed, int together, String set) {
        this.set = set;
        this.storage = storage;
        this.time = time;
        IdSource ids = new SeededIds(seed);
        WorkQueues queues = InlineWork.queues(storage, TYPES);
        Wiring parts = InlineJobs.wiring(storage, queues, new SetFunctions(() -> NumberJobs.all(together)), ids, time);
        this.jobs = parts.get(SetJobs.class);
        this.numbers = new BlobSet<>(storage.blobs(), set, NumberJobs.FORM, ids);
        this.queues = queues;
        this.ids = ids;
        this.runner = InlineWork.runner(runtime(), parts.get(JobService.class));
        this.sweep = parts.get(JobSweep.class);
    }

    private WorkRuntime runtime() {
        return InlineWork.runtime(
                storage,
                new DeadLetters(storage, queues),
                InlineWork.leases(storage, time, ids, Duration.ZERO),
                time,
                new StopFlag());
    }

    JobWorld fill(int count) {
        for (long number = 1; number <= count; number++) {
            numbers.put("n" + number, number);
        }
        return this;
    }

    byte[] idBytes(int count) {
        return new SeededIds(99).bytes(count);
    }

    /** Runs the job until it is completed, despite lost items and dead processes. */
    void finish(String job) {
        for (int turn = 0; turn < 500 && !completed(job); turn++) {
            if (runner.runOnce() == 0) {
                time.advance(Duration.ofMinutes(1));
            }
            if (turn % 50 == 49) {
                time.advance(Duration.ofMinutes(10));
                sweep.run();
            }
        }
    }

    /** Runs another item of the job. */
    void handleAgain(String job) {
        queues.put(new JobItem(job, 0, JobItem.WALK));
        runner.runOnce();
    }

    /** Returns whether the job is over and settled. */
    boolean completed(String job) {
        return new JobStore(storage)
                .find(job)
                .filter(found -> JobCompletion.SETTLED.equals(found.value().claimedUntil()))
                .isPresent();
    }

    /** Runs an action until it ends or its process dies. */
    void attempt(Runnable work) {
        try {
            work.run();
        } catch (ProcessDied | StorageException expected) {
            time.advance(Duration.ofMinutes(2));
        }
    }

    /** Takes all items from a queue, single ones and batches. */
    <T> List<T> take(ItemType<T> type) {
        List<T> taken = new ArrayList<>();
        QueueRunner<T> takers = InlineWork.runner(runtime(), new Taker<>(type, taken));
        for (int looks = 0; looks < 3; ) {
            looks = takers.runOnce() == 0 ? looks + 1 : 0;
        }
        return taken;
    }

    private record Taker<T>(ItemType<T> itemType, List<T> taken) implements QueueService<T> {

        @Override
        public WorkResult handle(T item, Delivery delivery) {
            taken.add(item);
            return WorkResult.DONE;
        }
    }

    /** The lines of the file of a finished {@link NumberJobs.Counting} job. */
    List<String> file(String job) {
        return jobs.result(job, NumberJobs.Counting.LINES).orElse(List.of()).stream()
                .map(name -> content(job, name))
                .toList();
    }

    private String content(String job, String name) {
        try (InputStream in = jobs.file(job, name).orElseThrow().content()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The blobs of a job and of its set. */
    List<String> blobs(String job) {
        List<String> names = new ArrayList<>();
        storage.blobs().createContainer("azuremail-jobs");
        storage.blobs().createContainer("azuremail-blobsets");
        storage.blobs().stream("azuremail-jobs", job).forEach(blob -> names.add(blob.name()));
        storage.blobs().stream("azuremail-blobsets", "job.").forEach(blob -> names.add(blob.name()));
        return names;
    }
}

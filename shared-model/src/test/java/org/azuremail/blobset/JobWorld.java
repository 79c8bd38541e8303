package org.azuremail.blobset;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.azuremail.id.IdSource;
import org.azuremail.id.SeededIds;
import org.azuremail.storage.QueueItem;
import org.azuremail.storage.Storage;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.simulated.ProcessDied;
import org.azuremail.time.ManualTime;
import org.azuremail.work.lease.Leases;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.QueueRunner;
import org.azuremail.work.run.Stopping;
import org.azuremail.work.run.WorkRuntime;

/** One process's sets and jobs on a storage, and numbers to work on. */
final class JobWorld {

    static final TextForm<Long> FORM = TextForm.json(Long.class);
    static final String SET = "numbers.of/all \u00e9";

    final String set;

    /** What mapping makes of a number. */
    record Squared(String element, long square) {}

    /** All is mapped. */
    record AllMapped(String job) {}

    /** What reducing came to. */
    record Sum(long sum) {}

    static final ItemType<Squared> SQUARED = ItemType.json("squares", Squared.class);
    static final ItemType<AllMapped> ALL_MAPPED = ItemType.json("mapped", AllMapped.class);
    static final ItemType<Sum> SUM = ItemType.json("sums", Sum.class);

    private static final ItemType<?>[] TYPES = {JobItem.TYPE, SQUARED, ALL_MAPPED, SUM};

    final Storage storage;
    final ManualTime time;
    final SetJobs jobs;
    final BlobSet<Long> numbers;
    final QueueRunner<JobItem> runner;
    final JobSweep sweep;

    JobWorld(Storage storage, ManualTime time, long seed) {
        this(storage, time, seed, JobWalk.USUAL_CHUNK, SET);
    }

    JobWorld(Storage storage, ManualTime time, long seed, int chunk, String set) {
        this.set = set;
        this.storage = storage;
        this.time = time;
        IdSource ids = new SeededIds(seed);
        WorkQueues queues = WorkQueues.of(storage, TYPES);
        KnownItems items = new KnownItems(() -> List.of(TYPES));
        JobStore store = new JobStore(storage);
        this.jobs = new SetJobs(store, queues, items, ids, time);
        this.numbers = new BlobSets(storage, ids).set(set, FORM);
        ChunkWork chunks = new ChunkWork(List.of(new Squares()), List.of(new Adding()), storage, queues, ids, chunk);
        JobService service =
                new JobService(store, new JobWalk(store, storage.blobs(), queues, chunk), chunks, items, queues, time);
        this.runner = WorkRuntime.inline(
                        storage,
                        new DeadLetters(storage, queues),
                        new Leases(storage, time, ids, Duration.ZERO),
                        time,
                        new Stopping())
                .runner(service);
        this.sweep = new JobSweep(store, queues, time);
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

    /** Works until the job is completed, over lost items and dead processes too. */
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

    boolean completed(String job) {
        return jobs.progress(job).map(SetJobs.Progress::completed).orElse(false);
    }

    /** One process's attempt at everything, until it dies or is done. */
    void attempt(Runnable work) {
        try {
            work.run();
        } catch (ProcessDied | StorageException expected) {
            time.advance(Duration.ofMinutes(2));
        }
    }

    /** What stands on a queue; takes it. */
    <T> List<T> take(ItemType<T> type) {
        storage.queues().createQueue(type.queue());
        List<T> taken = new ArrayList<>();
        List<QueueItem> some;
        do {
            some = storage.queues().receive(type.queue(), 32, Duration.ofDays(1));
            some.forEach(item -> {
                taken.add(type.read(item.text()));
                storage.queues().delete(type.queue(), item);
            });
        } while (!some.isEmpty());
        return taken;
    }

    private static final class Squares implements SetMapper<Long> {

        @Override
        public String name() {
            return "squares";
        }

        @Override
        public TextForm<Long> form() {
            return FORM;
        }

        @Override
        public Object map(String element, Long value) {
            return new Squared(element, value * value);
        }
    }

    private static final class Adding implements SetReducer<Long> {

        @Override
        public String name() {
            return "adding";
        }

        @Override
        public TextForm<Long> form() {
            return FORM;
        }

        @Override
        public Long reduce(Long one, Long other) {
            return one + other;
        }

        @Override
        public Object result(Long value) {
            return new Sum(value);
        }
    }
}

package org.azuremail.blobset;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.blobset.JobStore.Chunk;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.Delivery;
import org.azuremail.work.run.QueueService;
import org.azuremail.work.run.WorkResult;

/**
 * Works jobs off, chunk by chunk, in any number of processes. What a chunk does may be repeated; that it is finished is
 * counted once, and whoever counts the last one makes the job complete.
 */
final class JobService implements QueueService<JobItem> {

    /** Longer than two hosts' clocks differ. */
    private static final Duration TO_TELL = Duration.ofMinutes(3);

    private static final Duration SOON = Duration.ofSeconds(5);

    private final JobStore jobs;
    private final JobWalk walk;
    private final ChunkWork chunks;
    private final KnownItems items;
    private final WorkQueues queues;
    private final Time time;

    JobService(JobStore jobs, JobWalk walk, ChunkWork chunks, KnownItems items, WorkQueues queues, Time time) {
        this.jobs = jobs;
        this.walk = walk;
        this.chunks = chunks;
        this.items = items;
        this.queues = queues;
        this.time = time;
    }

    @Override
    public ItemType<JobItem> itemType() {
        return JobItem.TYPE;
    }

    @Override
    public WorkResult handle(JobItem item, Delivery delivery) throws Exception {
        Optional<Versioned<Job>> job = jobs.find(item.job());
        if (job.isEmpty()) {
            return new WorkResult.Discard("there is no such job (any more)");
        }
        if (item.chunk() == JobItem.WALK) {
            walk(item, delivery);
        } else if (!work(item, job.get().value(), delivery)) {
            return new WorkResult.RetryAfter(Duration.ZERO);
        }
        return goOn(item);
    }

    private void walk(JobItem item, Delivery delivery) {
        walk.walk(item.job());
        if (delivery.dequeueCount() > 1) {
            walk.putUnfinished(item.job());
        }
    }

    private boolean work(JobItem item, Job job, Delivery delivery) throws Exception {
        Optional<Chunk> open =
                job.level() == item.level() ? jobs.open(item.job(), item.level(), item.chunk()) : Optional.empty();
        if (open.isPresent()) {
            if (!chunks.work(item.job(), job, open.get(), delivery)) {
                return false;
            }
            jobs.finish(item.job(), item.level(), item.chunk());
        }
        return true;
    }

    private WorkResult goOn(JobItem item) {
        Versioned<Job> job = jobs.find(item.job()).orElse(null);
        if (job == null) {
            return WorkResult.DONE;
        }
        return switch (job.value().state()) {
            case WALKING -> walkNextLevel(item, job.value());
            case RUNNING -> WorkResult.DONE;
            case COMPLETING -> complete(item.job(), job);
            case COMPLETED -> tidy(item.job());
        };
    }

    private WorkResult walkNextLevel(JobItem item, Job job) {
        if (job.level() > item.level()) {
            queues.put(new JobItem(item.job(), job.level(), JobItem.WALK));
        }
        return WorkResult.DONE;
    }

    /** One process alone tells: the others look again when it should have. */
    private WorkResult complete(String id, Versioned<Job> job) {
        Instant now = time.instant();
        Instant claimed = job.value().claimedUntil();
        if (claimed != null && claimed.isAfter(now)) {
            return new WorkResult.RetryAfter(Duration.between(now, claimed));
        }
        Job mine = job.value().claimed(now.plus(TO_TELL));
        if (!jobs.replace(id, job, mine)) {
            return new WorkResult.RetryAfter(SOON);
        }
        completionOf(id, mine).ifPresent(queues::put);
        jobs.find(id).ifPresent(told -> jobs.replace(id, told, told.value().completed()));
        return tidy(id);
    }

    private Optional<Object> completionOf(String id, Job job) {
        Job.Completion completion = job.completion();
        return completion == null ? chunks.result(id, job) : Optional.of(items.read(completion));
    }

    private WorkResult tidy(String id) {
        chunks.forget(id);
        jobs.forgetChunks(id, time.instant());
        return WorkResult.DONE;
    }
}

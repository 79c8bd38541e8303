package org.azuremail.blobset;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.BlobStore.BlobInfo;
import org.azuremail.storage.Page;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.QueueService;
import org.azuremail.work.service.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs, chunk by chunk, in any number of processes. The work of a chunk may be repeated, but each chunk is counted
 * as finished only once. Counting the last chunk of the last level ends the job.
 */
@ConditionalOnRole(Role.SCHEDULER)
record JobService(
        SetFunctions functions,
        JobStore jobs,
        BlobStore store,
        JobBlobs blobs,
        ChunkWork chunks,
        JobCompletion completion,
        WorkQueues queues,
        Time time)
        implements QueueService<JobItem> {

    private static final Logger LOG = LoggerFactory.getLogger(JobService.class);

    private static final int CHUNKS_A_BATCH = 15;
    private static final int MAX_FAILURES = 5;
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

    @Override
    public ItemType<JobItem> itemType() {
        return JobItem.TYPE;
    }

    @Override
    public WorkResult handle(JobItem item, Delivery delivery) throws Exception {
        Optional<Job> job = jobs.find(item.job()).map(Versioned::value);
        if (job.isEmpty()) {
            return new WorkResult.Discard("there is no such job (any more)");
        }
        try {
            if (!job.get().state().over() && !advance(item, job.get(), delivery)) {
                return new WorkResult.RetryAfter(Duration.ZERO);
            }
        } catch (SetJob.Failure pointless) {
            LOG.warn("job {} failed: {}", item.job(), pointless.reason());
            jobs.end(item.job(), JobState.FAILED, time.instant(), pointless.reason(), "");
        } catch (Exception e) {
            return failed(item, delivery, e);
        }
        return follow(item);
    }

    private boolean advance(JobItem item, Job job, Delivery delivery) throws Exception {
        SetJob<?, ?> function = functions.require(job.order().function());
        if (item.chunk() != JobItem.WALK) {
            return chunks.work(function, item.job(), job, item, delivery);
        }
        walk(function, item.job(), job);
        if (delivery.dequeueCount() > 1) {
            putUnfinished(item.job());
        }
        return true;
    }

    /**
     * Fills the job's own set if no chunk exists yet, and creates all chunks of the level. A repeated call continues
     * where the last batch ended.
     */
    private <T> void walk(SetJob<T, ?> function, String id, Job begun) throws SetJob.Failure {
        boolean certain = begun.state() == JobState.WALKING;
        store.createContainer(BlobSet.CONTAINER);
        if (begun.level().number() == 0
                && begun.level().chunks() == 0
                && SetJobs.ownSet(id).equals(begun.order().set())) {
            function.fill(
                    blobs.set(begun.order().set(), function.values()),
                    begun.order().about());
        }
        Optional<Versioned<Job>> job = jobs.find(id);
        while (job.isPresent() && job.get().value().state() == JobState.WALKING) {
            certain &= step(function, id, job.get());
            job = jobs.find(id);
        }
        if (!certain) {
            putUnfinished(id);
        }
    }

    /** Puts an item on the queue for each unfinished chunk. A second item for a chunk does no harm. */
    private void putUnfinished(String id) {
        jobs.find(id).map(Versioned::value).ifPresent(job -> jobs.chunks(
                        id, job.level().number())
                .filter(chunk -> !chunk.done())
                .forEach(chunk -> queues.put(new JobItem(id, job.level().number(), chunk.number()))));
    }

    /** @return whether the items of all written chunks are certainly on the queue */
    private boolean step(SetJob<?, ?> function, String id, Versioned<Job> before) {
        Job job = before.value();
        List<JobChunk> chunks = new ArrayList<>();
        Job after = job.level().number() == 0 ? walkSet(job, function.pieceSize(), chunks) : walkBelow(job, chunks);
        if (!jobs.add(id, before, chunks, after)) {
            return false;
        }
        chunks.forEach(chunk -> queues.put(new JobItem(id, job.level().number(), chunk.number())));
        return true;
    }

    private Job walkSet(Job job, int together, List<JobChunk> chunks) {
        String prefix = BlobSet.prefixOf(job.order().set());
        int limit = Math.min(TableStore.MAX_PAGE, together * CHUNKS_A_BATCH);
        Page<BlobInfo> page =
                store.list(BlobSet.CONTAINER, prefix, limit, job.level().continuation());
        List<String> elements = page.items().stream()
                .map(blob -> blob.name().substring(prefix.length()))
                .toList();
        for (int from = 0; from < elements.size(); from += together) {
            List<String> some = elements.subList(from, Math.min(from + together, elements.size()));
            chunks.add(JobChunk.found(0, job.level().chunks() + chunks.size(), some));
        }
        return job.walked(chunks.size(), page.continuation(), page.last(), time.instant());
    }

    private Job walkBelow(Job job, List<JobChunk> chunks) {
        int all = (job.level().below() + ChunkWork.RESULTS - 1) / ChunkWork.RESULTS;
        for (int number = job.level().chunks(); number < all && chunks.size() < CHUNKS_A_BATCH; number++) {
            chunks.add(JobChunk.found(job.level().number(), number, List.of()));
        }
        return job.walked(chunks.size(), null, job.level().chunks() + chunks.size() == all, time.instant());
    }

    /** Counts a failure of the job. A failure of the storage, or a failure while the process stops, does not count. */
    private WorkResult failed(JobItem item, Delivery delivery, Exception e) throws Exception {
        boolean storage = e instanceof StorageException failure && failure.postponesWork();
        if (storage || e instanceof InterruptedException || delivery.stopping()) {
            throw e;
        }
        int failures =
                jobs.change(item.job(), Job::failedOnce).map(Job::failures).orElse(MAX_FAILURES);
        LOG.error("job {} failed, time {} of {}", item.job(), failures, MAX_FAILURES, e);
        if (failures < MAX_FAILURES) {
            return new WorkResult.RetryAfter(AFTER_FAILURE);
        }
        Reason reason = Reason.of(ReasonCode.JOB_BROKE, e.toString());
        jobs.end(item.job(), JobState.FAILED, time.instant(), reason, "");
        return follow(item);
    }

    private WorkResult follow(JobItem item) {
        Versioned<Job> job = jobs.find(item.job()).orElse(null);
        if (job == null) {
            return WorkResult.DONE;
        }
        if (job.value().state().over()) {
            return completion.follow(item.job(), job);
        }
        if (job.value().state() == JobState.WALKING && job.value().level().number() > item.level()) {
            queues.put(new JobItem(item.job(), job.value().level().number(), JobItem.WALK));
        }
        return WorkResult.DONE;
    }
}

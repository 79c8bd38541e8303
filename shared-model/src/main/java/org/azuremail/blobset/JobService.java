package org.azuremail.blobset;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.StorageException;
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
 * Works jobs off, chunk by chunk, in any number of processes. The work of a chunk may be repeated; that it is finished is
 * counted once, and counting the last one ends the job.
 */
record JobService(
        SetFunctions functions, JobStore jobs, JobWalk walk, ChunkWork chunks, JobEnd end, WorkQueues queues, Time time)
        implements QueueService<JobItem> {

    private static final Logger LOG = LoggerFactory.getLogger(JobService.class);

    private static final int MOST_FAILURES = 5;
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
            if (!job.get().state().over() && !goOn(item, job.get(), delivery)) {
                return new WorkResult.RetryAfter(Duration.ZERO);
            }
        } catch (JobFailure pointless) {
            LOG.warn("job {} failed: {}", item.job(), pointless.reason());
            jobs.end(item.job(), JobState.FAILED, time.instant(), pointless.reason(), "");
        } catch (Exception e) {
            return failed(item, delivery, e);
        }
        return follow(item);
    }

    private boolean goOn(JobItem item, Job job, Delivery delivery) throws Exception {
        SetJob<?, ?> function = functions.require(job.order().function());
        if (item.chunk() != JobItem.WALK) {
            return chunks.work(function, item.job(), job, item, delivery);
        }
        walk.walk(function, item.job(), job);
        if (delivery.dequeueCount() > 1) {
            walk.putUnfinished(item.job());
        }
        return true;
    }

    /** A failure of the storage, or one while the process stops, is nobody's. */
    private WorkResult failed(JobItem item, Delivery delivery, Exception e) throws Exception {
        boolean storage = e instanceof StorageException failure && failure.retryable();
        if (storage || e instanceof InterruptedException || delivery.stopping()) {
            throw e;
        }
        int failures =
                jobs.change(item.job(), Job::failedOnce).map(Job::failures).orElse(MOST_FAILURES);
        LOG.error("job {} failed, time {} of {}", item.job(), failures, MOST_FAILURES, e);
        if (failures < MOST_FAILURES) {
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
            return end.follow(item.job(), job);
        }
        if (job.value().state() == JobState.WALKING && job.value().level().number() > item.level()) {
            queues.put(new JobItem(item.job(), job.value().level().number(), JobItem.WALK));
        }
        return WorkResult.DONE;
    }
}

package org.azuremail.blobset;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.TextCodec;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.WorkResult;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps after the end of a job: notifies its function and its queue, and deletes data that is not needed any
 * more. One process at a time does this, and another process repeats it after a crash.
 */
record JobCompletion(
        SetFunctions functions, JobStore jobs, JobBlobs blobs, ChunkWork chunks, WorkQueues queues, Time time) {

    /** The time for which a process reserves the notifications. It exceeds the difference between two hosts' clocks. */
    private static final Duration CLAIM_DURATION = Duration.ofMinutes(3);

    private static final Duration RETRY_DELAY = Duration.ofSeconds(5);

    /** Marks, in place of a claim, that the notifications are done and only data is left to delete. */
    private static final Instant NOTIFIED = Instant.EPOCH.plusSeconds(1);

    /** Marks, in place of a claim, that all steps are done. */
    static final Instant SETTLED = Instant.EPOCH;

    WorkResult follow(String id, Versioned<Job> job) {
        Instant now = time.instant();
        Instant claimed = job.value().claimedUntil();
        if (SETTLED.equals(claimed)) {
            return WorkResult.DONE;
        }
        if (claimed != null && claimed.isAfter(now)) {
            return new WorkResult.RetryAfter(Duration.between(now, claimed));
        }
        if (!NOTIFIED.equals(claimed) && !notifyOnce(id, job, now)) {
            return new WorkResult.RetryAfter(RETRY_DELAY);
        }
        settle(id, job.value());
        if (job.value().state() == JobState.FAILED) {
            queues.needAttention();
        }
        return WorkResult.DONE;
    }

    /** @return false if another process has claimed the end of the job */
    private boolean notifyOnce(String id, Versioned<Job> job, Instant now) {
        Job mine = job.value().claimed(now.plus(CLAIM_DURATION));
        if (!jobs.replace(id, job, mine)) {
            return false;
        }
        String function = mine.order().function();
        if (mine.state() == JobState.DONE) {
            notifyDone(functions.require(function), id, mine);
        } else {
            functions
                    .find(function)
                    .ifPresent(known -> known.stopped(id, mine.order().about()));
        }
        mark(id, NOTIFIED);
        return true;
    }

    private <R> void notifyDone(SetJob<?, R> function, String id, Job job) {
        @Nullable String blob = job.result();
        Optional<R> result = blob == null ? Optional.empty() : Optional.of(chunks.result(function, id, blob));
        Job.Request order = job.order();
        function.done(new SetJob.End<>(id, order.about(), order.at(), result, queues::put));
        Job.Completion completion = order.completion();
        if (completion != null) {
            queues.putText(completion.queue(), completion.text(), Duration.ZERO);
        }
    }

    private void settle(String id, Job job) {
        blobs.forgetResults(id, job.state() == JobState.DONE ? job.result() : null);
        if (job.state() != JobState.DONE) {
            blobs.forgetFiles(id);
        }
        forgetSet(id, job);
        jobs.settle(id, job.state(), time.instant());
        mark(id, SETTLED);
    }

    private void mark(String id, Instant how) {
        jobs.find(id).ifPresent(now -> jobs.replace(id, now, now.value().claimed(how)));
    }

    /** Deletes everything about an old job, including blobs that a slow process has written since its end. */
    void forget(String id) {
        blobs.forgetResults(id, null);
        blobs.forgetFiles(id);
        jobs.find(id).ifPresent(job -> forgetSet(id, job.value()));
        jobs.forget(id);
    }

    private void forgetSet(String id, Job job) {
        if (job.order().set().equals(SetJobs.ownSet(id))) {
            blobs.set(job.order().set(), TextCodec.json(Object.class)).clear();
        }
    }
}

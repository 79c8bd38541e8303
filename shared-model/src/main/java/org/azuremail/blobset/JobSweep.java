package org.azuremail.blobset;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.blobset.JobStore.Entry;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.ScheduledService;

/** Requeues jobs whose work items were lost, and deletes old jobs and files. */
@ConditionalOnRole(Role.SCHEDULER)
final class JobSweep implements ScheduledService {

    private static final Duration STALLED = Duration.ofMinutes(10);

    private final JobStore jobs;
    private final JobCompletion completion;
    private final JobBlobs blobs;
    private final WorkQueues queues;
    private final JobProperties settings;
    private final Time time;

    /** Whether a job is unfinished, as far as this process knows; true until the first run. */
    private volatile boolean unfinished = true;

    JobSweep(
            JobStore jobs,
            JobCompletion completion,
            JobBlobs blobs,
            WorkQueues queues,
            JobProperties settings,
            Time time) {
        this.jobs = jobs;
        this.completion = completion;
        this.blobs = blobs;
        this.queues = queues;
        this.settings = settings;
        this.time = time;
    }

    @Override
    public String name() {
        return "set-jobs";
    }

    @Override
    public Duration interval() {
        return unfinished ? Duration.ofHours(1) : Duration.ofHours(6);
    }

    @Override
    public Duration restAsOnlyProcess() {
        return unfinished ? Duration.ofHours(1) : Duration.ofDays(1);
    }

    @Override
    public void run() {
        List<Entry> entries = jobs.index().toList();
        entries.forEach(this::check);
        unfinished = entries.stream().anyMatch(entry -> entry.completedAt() == null);
    }

    private void check(Entry entry) {
        Instant now = time.instant();
        Instant completedAt = entry.completedAt();
        Instant createdAt = entry.createdAt();
        if (completedAt != null) {
            forget(entry.id(), Duration.between(completedAt, now));
        } else if (createdAt != null && createdAt.plus(STALLED).isBefore(now)) {
            queueAgain(entry.id());
        }
    }

    private void forget(String id, Duration age) {
        if (age.compareTo(settings.keep()) > 0) {
            completion.forget(id);
        } else if (age.compareTo(settings.keepFiles()) > 0) {
            blobs.forgetFiles(id);
        }
    }

    private void queueAgain(String id) {
        jobs.find(id)
                .map(Versioned::value)
                .ifPresentOrElse(
                        job -> queues.put(new JobItem(id, job.level().number(), JobItem.WALK)), () -> jobs.forget(id));
    }
}

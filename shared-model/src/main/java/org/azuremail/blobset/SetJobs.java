package org.azuremail.blobset;

import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.jspecify.annotations.Nullable;

/**
 * Begins work over all of a set. What is added to the set or removed from it while the work goes on may be in or out. The
 * work survives the death of any process: what was begun is finished by another, and a call that throws may be repeated
 * (it begins a second job then, if the first was begun).
 */
public final class SetJobs {

    private final JobStore jobs;
    private final WorkQueues queues;
    private final KnownItems items;
    private final IdSource ids;
    private final Time time;

    SetJobs(JobStore jobs, WorkQueues queues, KnownItems items, IdSource ids, Time time) {
        this.jobs = jobs;
        this.queues = queues;
        this.items = items;
        this.ids = ids;
        this.time = time;
    }

    /**
     * How far a job is.
     *
     * @param chunks how many pieces are known
     * @param done how many of them are finished
     */
    public record Progress(boolean completed, int chunks, int done) {}

    /**
     * Has every value of a set mapped, and then puts one more item: after the last of the others, and once, but for a crash
     * between the put and the note that it was put, after which it is put again.
     *
     * @param mapper the name of a {@link SetMapper}
     * @param onCompleted an item whose class has a queue
     * @return the job's id
     */
    public String mapToQueue(String set, String mapper, Object onCompleted) {
        return begin(Job.Kind.MAP, mapper, set, items.write(onCompleted));
    }

    /**
     * Has all values of a set reduced to one, which is put on a queue as {@link SetReducer#result} says.
     *
     * @param reducer the name of a {@link SetReducer}
     * @return the job's id
     */
    public String reduceToQueue(String set, String reducer) {
        return begin(Job.Kind.REDUCE, reducer, set, null);
    }

    /** How far a job is; empty when there is none of this id, or it was completed more than a week ago. */
    public Optional<Progress> progress(String job) {
        return jobs.find(job)
                .map(found -> new Progress(
                        found.value().state() == Job.State.COMPLETED,
                        found.value().chunks(),
                        found.value().done()));
    }

    private String begin(Job.Kind kind, String function, String set, Job.@Nullable Completion completion) {
        String id = ids.token();
        Job job = new Job(kind, function, set, completion, Job.State.WALKING, 0, 0, 0, 0, null, null, time.instant());
        jobs.create(id, job);
        queues.put(new JobItem(id, 0, JobItem.WALK));
        return id;
    }
}

package org.azuremail.blobset;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Page;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.jspecify.annotations.Nullable;

/**
 * Begins work over all of a set. Values that are added or removed while the work goes on may be in or out. The
 * work survives the death of any process: what was begun is finished by another. A job ends once, by one conditional write;
 * what follows from that may be repeated after a crash.
 */
public final class SetJobs {

    /** The parameter of a job about the people of a list that names the list: pages show it. */
    public static final String LIST = "list";

    /** The parameter that says how many people the list had when the job began: pages show progress by it. */
    public static final String PEOPLE = "people";

    /** Ids of later jobs are smaller, so that the newest come first. */
    private static final long LAST_MILLI = 9_999_999_999_999L;

    private final JobStore jobs;
    private final JobBlobs blobs;
    private final WorkQueues queues;
    private final KnownItems items;
    private final IdSource ids;
    private final Time time;

    SetJobs(JobStore jobs, JobBlobs blobs, WorkQueues queues, KnownItems items, IdSource ids, Time time) {
        this.jobs = jobs;
        this.blobs = blobs;
        this.queues = queues;
        this.items = items;
        this.ids = ids;
        this.time = time;
    }

    /**
     * A job.
     *
     * @param by who started it; empty: the service itself
     * @param pieces how many pieces are known of the level that it is at
     * @param done how many of them are finished
     * @param handled how many of what the job counts were in steps that count
     * @param endedBy who cancelled it
     */
    public record Status(
            String id,
            String function,
            Map<String, String> about,
            String by,
            Instant startedAt,
            JobState state,
            int pieces,
            int done,
            long handled,
            Reason reason,
            @Nullable Instant endedAt,
            String endedBy) {}

    /** An id for {@link #start}. */
    public String newId() {
        return String.format("%013d-%s", LAST_MILLI - time.instant().toEpochMilli(), ids.token());
    }

    /**
     * Starts a job over a set of its own, which its function fills. The same call again starts nothing.
     *
     * @param id of {@link #newId}
     * @param function the name of a {@link SetJob}
     * @param about its parameters; their keys are letters, they have at most 30,000 characters each
     * @param by who starts it; empty: the service itself
     */
    public Status start(String id, String function, Map<String, String> about, String by) {
        return begin(id, new Job.Order(function, ownSet(id), about, null, by, time.instant()));
    }

    /**
     * Has every value of a set mapped, and then puts one more item: after the last of the others, and once, but for a crash
     * between the put and the note that it was put, after which it is put again. A call that throws may be repeated; it begins a
     * second job then, if the first was begun.
     *
     * @param mapper the name of a {@link SetMapper}
     * @param onCompleted an item whose class has a queue
     * @return the job's id
     */
    public String mapToQueue(String set, String mapper, Object onCompleted) {
        return begin(mapper, set, items.write(onCompleted));
    }

    /**
     * As {@link #mapToQueue(String, String, Object)}, over a set of the job's own, which the mapper fills. The same call again
     * starts nothing.
     *
     * @param id of {@link #newId}
     * @param about as for {@link #start}
     * @param by who starts it
     */
    public Status mapToQueue(String id, String mapper, Map<String, String> about, String by, Object onCompleted) {
        return begin(id, new Job.Order(mapper, ownSet(id), about, items.write(onCompleted), by, time.instant()));
    }

    /**
     * Has all values of a set reduced to one, which is put on a queue as {@link SetReducer#result} says. Source 002 names it;
     * the jobs of this product need the result itself ({@link #result}) and do not use it.
     *
     * @param reducer the name of a {@link SetReducer}
     * @return the job's id
     */
    public String reduceToQueue(String set, String reducer) {
        return begin(reducer, set, null);
    }

    /** Returns the status of a job; empty when there is none of this id, or it ended so long ago that it is forgotten. */
    public Optional<Status> find(String id) {
        return jobs.find(id).map(found -> status(id, found.value()));
    }

    /** Jobs, newest first. */
    public Page<Status> latest(int limit, @Nullable String continuation) {
        Page<String> page = jobs.page(limit, continuation);
        List<Status> found =
                page.items().stream().flatMap(id -> find(id).stream()).toList();
        return new Page<>(found, page.continuation());
    }

    /** Those that failed of so many jobs, the newest; one read, and one for each that failed. */
    public List<Status> failed(int newest) {
        return jobs.failed(newest).stream().flatMap(id -> find(id).stream()).toList();
    }

    /**
     * Cancels a job that goes on: no step counts from now on.
     *
     * @return the job, which may have ended otherwise before; empty when there is none
     */
    public Optional<Status> cancel(String id, String by) {
        Optional<Job> job = jobs.end(id, JobState.CANCELLED, time.instant(), Reason.NONE, by);
        job.filter(now -> now.state() == JobState.CANCELLED)
                .ifPresent(now -> queues.put(new JobItem(id, now.level().number(), JobItem.WALK)));
        return job.map(now -> status(id, now));
    }

    /** The result of a job that is done; empty when it is not, or its set was empty. */
    public <R> Optional<R> result(String id, TextForm<R> form) {
        return jobs.find(id)
                .map(Versioned::value)
                .filter(job -> job.state() == JobState.DONE)
                .flatMap(job -> Optional.ofNullable(job.result()))
                .flatMap(blob -> blobs.result(id, blob))
                .map(form.reader());
    }

    /** A part of a job's file, by the name that its result says; empty when it is kept no longer. Close it. */
    public Optional<BlobStore.OpenBlob> file(String id, String name) {
        return blobs.openFile(id, name);
    }

    static String ownSet(String id) {
        return "job." + id;
    }

    private String begin(String function, String set, Job.@Nullable Completion completion) {
        String id = newId();
        begin(id, new Job.Order(function, set, Map.of(), completion, "", time.instant()));
        return id;
    }

    private Status begin(String id, Job.Order order) {
        Job job = Job.begun(order);
        jobs.create(id, job);
        queues.put(new JobItem(id, 0, JobItem.WALK));
        return status(id, job);
    }

    private Status status(String id, Job job) {
        Job.Order order = job.order();
        Job.End end = job.end();
        long underWay = job.state().over() || job.level().number() > 0
                ? 0
                : jobs.chunks(id, 0)
                        .filter(chunk -> !chunk.done())
                        .mapToLong(JobChunk::handled)
                        .sum();
        return new Status(
                id,
                order.function(),
                order.about(),
                order.by(),
                order.at(),
                job.state(),
                job.level().chunks(),
                job.level().done(),
                job.handled() + underWay,
                end == null ? Reason.NONE : end.reason(),
                end == null ? null : end.at(),
                end == null ? "" : end.by());
    }
}

package org.azuremail.blobset;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.reason.Reason;
import org.azuremail.storage.BlobStore;
import org.azuremail.storage.Page;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.TextCodec;
import org.azuremail.work.queue.WorkQueues;
import org.jspecify.annotations.Nullable;

/**
 * Starts jobs over all values of a set. A job may include or miss values that are added or removed while it runs. If a
 * process dies, another process finishes its work. A job ends once, by one conditional write. The steps after the end
 * may be repeated after a crash.
 */
public record SetJobs(JobStore jobs, JobBlobs blobs, WorkQueues queues, IdSource ids, Time time) {

    /** The parameter with the name of a list, for a job about the people of that list. Pages show it. */
    public static final String LIST = "list";

    /**
     * The parameter with the number of people on the list when the job began. Pages show the progress relative to it.
     */
    public static final String PEOPLE = "people";

    /** The time from which ids count down, in milliseconds, so that the newest jobs come first. */
    private static final long LAST_MILLI = 9_999_999_999_999L;

    /**
     * The status of a job.
     *
     * @param by the person who started the job; empty for the service itself
     * @param pieces the number of known pieces of the current level
     * @param done the number of finished pieces of the current level
     * @param handled the progress over all steps that count, in the job's own measure, such as people
     * @param endedBy the person who cancelled the job
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

    /** Returns an id for {@link #start}. */
    public String newId() {
        return String.format(
                Locale.ROOT, "%013d-%s", LAST_MILLI - time.instant().toEpochMilli(), ids.token());
    }

    /**
     * Starts a job over a set of its own, which its function fills. Repeating the call changes nothing.
     *
     * @param id an id from {@link #newId}
     * @param function the name of a {@link SetJob}
     * @param about the parameters of the job: keys of letters, values of at most 30,000 characters
     * @param by the person who starts the job; empty for the service itself
     */
    public Status start(String id, String function, Map<String, String> about, String by) {
        return begin(id, new Job.Request(function, ownSet(id), about, null, by, time.instant()));
    }

    /**
     * Maps every value of a set to an item, and puts {@code onCompleted} on its queue after all of these. This last
     * item is put once, unless a process dies between the put and the write that records it; then it is put again. A
     * call that throws can be repeated. If it had started a job, the repeated call starts a second one.
     *
     * @param mapper the name of a {@link SetMapper}
     * @param onCompleted an item whose class has a queue
     * @return the id of the job
     */
    public String mapToQueue(String set, String mapper, Object onCompleted) {
        return begin(mapper, set, completion(onCompleted));
    }

    /**
     * As {@link #mapToQueue(String, String, Object)}, over a set of the job's own, which the mapper fills. Repeating
     * the call changes nothing.
     *
     * @param id an id from {@link #newId}
     * @param about as for {@link #start}
     * @param by the person who starts the job
     */
    public Status mapToQueue(String id, String mapper, Map<String, String> about, String by, Object onCompleted) {
        return begin(id, new Job.Request(mapper, ownSet(id), about, completion(onCompleted), by, time.instant()));
    }

    /**
     * Reduces all values of a set to one value, and puts its work item ({@link SetReducer#result}) on a queue. Source
     * 002 names this method. The jobs of this product do not use it, because they need the result itself
     * ({@link #result}).
     *
     * @param reducer the name of a {@link SetReducer}
     * @return the id of the job
     */
    public String reduceToQueue(String set, String reducer) {
        return begin(reducer, set, null);
    }

    /** Returns the status of a job; empty if it does not exist. */
    public Optional<Status> find(String id) {
        return jobs.find(id).map(found -> status(id, found.value()));
    }

    public Page<Status> latest(int limit, @Nullable String continuation) {
        Page<String> page = jobs.page(limit, continuation);
        List<Status> found =
                page.items().stream().flatMap(id -> find(id).stream()).toList();
        return new Page<>(found, page.continuation());
    }

    /** Returns the failed jobs among the newest jobs. This takes one read, and one more for each failed job. */
    public List<Status> failed(int newest) {
        return jobs.failed(newest).stream().flatMap(id -> find(id).stream()).toList();
    }

    /**
     * Cancels a running job. No later step counts.
     *
     * @return the job, which may have ended in another way earlier; empty if it does not exist
     */
    public Optional<Status> cancel(String id, String by) {
        Optional<Job> job = jobs.end(id, JobState.CANCELLED, time.instant(), Reason.NONE, by);
        job.filter(now -> now.state() == JobState.CANCELLED)
                .ifPresent(now -> queues.put(new JobItem(id, now.level().number(), JobItem.WALK)));
        return job.map(now -> status(id, now));
    }

    /** Returns the result of a job that is done; empty if the job is not done or its set was empty. */
    public <R> Optional<R> result(String id, TextCodec<R> codec) {
        return jobs.find(id)
                .map(Versioned::value)
                .filter(job -> job.state() == JobState.DONE)
                .flatMap(job -> Optional.ofNullable(job.result()))
                .flatMap(blob -> blobs.result(id, blob))
                .map(codec.reader());
    }

    /**
     * Returns a part of a job's file by its name in the result; empty if the part was deleted. The caller closes it.
     */
    public Optional<BlobStore.OpenBlob> file(String id, String name) {
        return blobs.openFile(id, name);
    }

    static String ownSet(String id) {
        return "job." + id;
    }

    private String begin(String function, String set, Job.@Nullable Completion completion) {
        String id = newId();
        begin(id, new Job.Request(function, set, Map.of(), completion, "", time.instant()));
        return id;
    }

    private <T> Job.Completion completion(T item) {
        ItemType<T> type = queues.typeOf(item);
        return new Job.Completion(type.queue(), type.write(item));
    }

    private Status begin(String id, Job.Request order) {
        Job job = Job.begun(order);
        jobs.create(id, job);
        queues.put(new JobItem(id, 0, JobItem.WALK));
        return status(id, job);
    }

    private Status status(String id, Job job) {
        Job.Request order = job.order();
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

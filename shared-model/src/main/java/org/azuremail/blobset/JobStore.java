package org.azuremail.blobset;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.azuremail.reason.Reason;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/**
 * The rows of jobs, in table {@code work}. Partition {@code job} is the index, with the newest job first. Partition
 * {@code job.<id>} contains the job's row {@code !job} and a row for each chunk. A chunk is marked as finished in the
 * batch that counts it, so the count is exact even if steps are repeated.
 */
final class JobStore {

    private static final String INDEX = "job";
    private static final String JOB = "!job";
    private static final String COMPLETED_AT = "CompletedAt";
    private static final String FAILED = "Failed";

    private final Table table;

    JobStore(Storage storage) {
        this.table = new Table(storage.tables(), "work");
    }

    /** Creates the rows of a job. Repeating the call changes nothing. */
    void create(String id, Job job) {
        table.write(INDEX, Write.insert(id, Values.of("CreatedAt", job.order().at())));
        table.write(partition(id), Write.insert(JOB, job.values()));
    }

    /** Returns a job. The id may come from a URL, and an invalid id finds nothing. */
    Optional<Versioned<Job>> find(String id) {
        return id.matches("[A-Za-z0-9_.-]{1,100}")
                ? table.get(partition(id), JOB).map(row -> new Versioned<>(Job.of(row.values()), row.etag()))
                : Optional.empty();
    }

    Optional<Versioned<JobChunk>> open(String id, int level, int number) {
        return table.get(partition(id), JobChunk.key(level, number))
                .map(row -> new Versioned<>(JobChunk.of(row), row.etag()))
                .filter(chunk -> !chunk.value().done());
    }

    /** Returns the known chunks of a level, which are never all held in memory. */
    Stream<JobChunk> chunks(String id, int level) {
        return table.stream(KeyRange.prefix(partition(id), JobChunk.prefix(level)))
                .map(JobChunk::of);
    }

    /** Returns the chunks of a level from one number (inclusive) to another (exclusive). */
    Stream<JobChunk> chunks(String id, int level, int from, int to) {
        return table.stream(KeyRange.rows(partition(id), JobChunk.key(level, from), JobChunk.key(level, to)))
                .map(JobChunk::of);
    }

    /** @return whether the chunks and the job's progress were written; if not, the caller must read the job again */
    boolean add(String id, Versioned<Job> before, List<JobChunk> chunks, Job after) {
        List<Write> writes = new ArrayList<>();
        chunks.forEach(chunk -> writes.add(Write.insert(chunk.key(), chunk.values())));
        writes.add(new Write.Replace(JOB, after.values(), before.etag()));
        return table.write(partition(id), writes).written();
    }

    /**
     * Saves a step of a chunk. The last step finishes the chunk, which is counted in the same batch.
     *
     * @return the saved chunk; empty if the step does not count, because the job is over or another process was faster
     */
    Optional<Versioned<JobChunk>> save(String id, Versioned<JobChunk> read, JobChunk next, Instant now) {
        return ConditionalWrites.retryIdempotent("job " + id, () -> {
            Optional<Row> existing = table.get(partition(id), next.key());
            if (existing.filter(row -> row.values().equals(next.values())).isPresent()) {
                return Optional.of(existing.map(row -> new Versioned<>(next, row.etag())));
            }
            Optional<Versioned<Job>> job = find(id);
            boolean ours = existing.filter(row -> row.etag().equals(read.etag()))
                            .isPresent()
                    && job.filter(found -> !found.value().state().over()).isPresent();
            if (!ours) {
                return Optional.of(Optional.empty());
            }
            List<Write> writes = new ArrayList<>(List.of(Write.replace(existing.get(), next.values())));
            if (next.done()) {
                Job counted = job.get().value().finished(next, now);
                writes.add(new Write.Replace(JOB, counted.values(), job.get().etag()));
            }
            return table.write(partition(id), writes).written() && next.done()
                    ? Optional.of(Optional.of(new Versioned<>(next, "")))
                    : Optional.empty();
        });
    }

    /** @return whether the job is saved as given; if not, another process was faster */
    boolean replace(String id, Versioned<Job> before, Job after) {
        Write write = new Write.Replace(JOB, after.values(), before.etag());
        return table.write(partition(id), write).written()
                || find(id).filter(now -> now.value().equals(after)).isPresent();
    }

    /**
     * Ends a running job.
     *
     * @return the job, which may have ended in another way earlier; empty if it does not exist
     */
    Optional<Job> end(String id, JobState state, Instant at, Reason reason, String by) {
        return change(id, job -> job.ended(state, new Job.End(at, reason, by)));
    }

    Optional<Job> change(String id, UnaryOperator<Job> change) {
        return ConditionalWrites.retryIdempotent("job " + id, () -> {
            Optional<Versioned<Job>> found = find(id);
            if (found.isEmpty() || found.get().value().state().over()) {
                return Optional.of(found.map(Versioned::value));
            }
            Job next = change.apply(found.get().value());
            return replace(id, found.get(), next) ? Optional.of(Optional.of(next)) : Optional.empty();
        });
    }

    /** Deletes the chunks of a job that is over, and records that nothing is left to do for it. */
    void settle(String id, JobState state, Instant now) {
        for (List<Row> rows = someChunks(id); !rows.isEmpty(); rows = someChunks(id)) {
            table.write(
                    partition(id),
                    rows.stream().map(row -> Write.delete(row.rowKey())).toList());
        }
        Values ended = Values.builder()
                .put(COMPLETED_AT, now)
                .put(FAILED, state == JobState.FAILED ? true : null)
                .build();
        table.write(INDEX, Write.upsert(id, ended));
    }

    void forget(String id) {
        table.write(partition(id), Write.delete(JOB));
        table.write(INDEX, Write.delete(id));
    }

    Stream<Entry> index() {
        return table.stream(KeyRange.partition(INDEX))
                .map(row -> new Entry(
                        row.rowKey(),
                        row.values().instant("CreatedAt"),
                        row.values().instant(COMPLETED_AT)));
    }

    Page<String> page(int limit, @Nullable String continuation) {
        return table.first(KeyRange.partition(INDEX), limit, continuation).map(Row::rowKey);
    }

    /** A row of the index, with the time of creation while work is left, and the time of completion after that. */
    record Entry(
            String id,
            @Nullable Instant createdAt,
            @Nullable Instant completedAt) {}

    List<String> failed(int newest) {
        return table.first(KeyRange.partition(INDEX), newest, null).items().stream()
                .filter(row -> row.values().bool(FAILED, false))
                .map(Row::rowKey)
                .toList();
    }

    private List<Row> someChunks(String id) {
        return table.first(KeyRange.prefix(partition(id), JobChunk.PREFIX), 100, null)
                .items();
    }

    private static String partition(String id) {
        return INDEX + "." + id;
    }
}

package org.azuremail.blobset;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/**
 * The rows of jobs, in table {@code work}: partition {@code job} is the index, {@code job.<id>} holds {@code !job} and a row for each chunk. A chunk is finished in the batch that counts it, so the
 * count is exact whoever repeats what.
 */
final class JobStore {

    private static final String INDEX = "job";
    private static final String JOB = "!job";
    private static final String COMPLETED_AT = "CompletedAt";

    private final Table table;

    JobStore(Storage storage) {
        this.table = new Table(storage.tables(), "work");
    }

    /**
     * What a chunk stands over.
     *
     * @param elements of the set; empty above level 0
     */
    record Chunk(int number, List<String> elements) {}

    void create(String id, Job job) {
        table.write(INDEX, Write.upsert(id, Values.of("CreatedAt", job.createdAt())));
        table.write(partition(id), Write.insert(JOB, job.values()));
    }

    Optional<Versioned<Job>> find(String id) {
        return table.get(partition(id), JOB).map(row -> new Versioned<>(Job.of(row.values()), row.etag()));
    }

    Optional<Chunk> open(String id, int level, int number) {
        return table.get(partition(id), key(level, number))
                .filter(row -> !row.values().bool("Done", false))
                .map(JobStore::chunkOf);
    }

    /** The chunks of a level that are known and not finished. */
    List<Integer> unfinished(String id, int level) {
        return table.stream(KeyRange.prefix(partition(id), prefix(level)))
                .filter(row -> !row.values().bool("Done", false))
                .map(row -> chunkOf(row).number())
                .toList();
    }

    /** @return whether the chunks and the job's progress were written; otherwise read again and decide */
    boolean add(String id, Versioned<Job> before, List<Chunk> chunks, Job after) {
        List<Write> writes = new ArrayList<>();
        for (Chunk chunk : chunks) {
            Values values = Values.builder()
                    .put("Number", chunk.number())
                    .put("Elements", chunk.elements().isEmpty() ? null : String.join(",", chunk.elements()))
                    .build();
            writes.add(Write.insert(key(before.value().level(), chunk.number()), values));
        }
        writes.add(new Write.Replace(JOB, after.values(), before.etag()));
        return table.write(partition(id), writes).written();
    }

    /** Finishes a chunk and counts it, once. */
    void finish(String id, int level, int number) {
        ConditionalWrites.untilKnownDone("job " + id, () -> {
            Optional<Versioned<Job>> job = find(id);
            Optional<Row> chunk = table.get(partition(id), key(level, number));
            boolean done = chunk.isEmpty() || chunk.get().values().bool("Done", false);
            return job.isEmpty() || done || tryFinish(id, job.get(), chunk.get());
        });
    }

    private boolean tryFinish(String id, Versioned<Job> job, Row chunk) {
        Write done = Write.replace(chunk, chunk.values().with("Done", true));
        Write counted = new Write.Replace(JOB, job.value().finished().values(), job.etag());
        return table.write(partition(id), List.of(done, counted)).written();
    }

    /** @return whether the job stands there as given now; otherwise somebody else was faster */
    boolean replace(String id, Versioned<Job> before, Job after) {
        Write write = new Write.Replace(JOB, after.values(), before.etag());
        return table.write(partition(id), write).written()
                || find(id).filter(now -> now.value().equals(after)).isPresent();
    }

    /** Takes the chunks of a completed job away; the job's own row stays and says that it is completed. */
    void forgetChunks(String id, Instant completedAt) {
        for (List<Row> rows = someChunks(id); !rows.isEmpty(); rows = someChunks(id)) {
            table.write(
                    partition(id),
                    rows.stream().map(row -> Write.delete(row.rowKey())).toList());
        }
        table.write(INDEX, Write.upsert(id, Values.of(COMPLETED_AT, completedAt)));
    }

    void forget(String id) {
        table.write(partition(id), Write.delete(JOB));
        table.write(INDEX, Write.delete(id));
    }

    /** All jobs that are not forgotten. */
    List<Entry> index() {
        return table.stream(KeyRange.partition(INDEX))
                .map(row -> new Entry(
                        row.rowKey(),
                        row.values().instant("CreatedAt"),
                        row.values().instant(COMPLETED_AT)))
                .toList();
    }

    /** A row of the index: with the time of creation while the job goes on, and then with that of its end. */
    record Entry(
            String id,
            @Nullable Instant createdAt,
            @Nullable Instant completedAt) {}

    private List<Row> someChunks(String id) {
        return table.first(KeyRange.prefix(partition(id), "chunk:"), 100, null).rows();
    }

    private static Chunk chunkOf(Row row) {
        @Nullable String elements = row.values().string("Elements");
        return new Chunk(
                row.values().integer("Number", 0), elements == null ? List.of() : List.of(elements.split(",")));
    }

    private static String partition(String id) {
        return INDEX + "." + id;
    }

    private static String prefix(int level) {
        return String.format("chunk:%02d:", level);
    }

    private static String key(int level, int number) {
        return prefix(level) + String.format("%07d", number);
    }
}

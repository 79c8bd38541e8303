package org.azuremail.blobset;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * Work over all of a set, as its row says.
 *
 * @param order what was asked for; it never changes
 * @param level 0 over the set; then over the results of the level below
 * @param below how many chunks the level below had
 * @param chunks how many chunks of this level are known
 * @param done how many of them are finished
 * @param continuation where the walk over the set goes on
 * @param handled how many of what the job counts are in chunks that are finished
 * @param failures exceptions of all its chunks
 * @param result the blob of the result of the chunk that was finished last; in the end, that of the job
 * @param end how and when it ended; {@code null} while it goes on
 * @param claimedUntil until when one process alone does what follows the end
 */
record Job(
        Order order,
        JobState state,
        int level,
        int below,
        int chunks,
        int done,
        @Nullable String continuation,
        long handled,
        int failures,
        @Nullable String result,
        @Nullable End end,
        @Nullable Instant claimedUntil) {

    private static final String ABOUT = "About_";

    /**
     * The job as it was asked for.
     *
     * @param function the name of a {@link SetJob}
     * @param about its parameters; keys are letters
     * @param completion what is put when all is done
     * @param by who started it; empty: the service itself
     */
    record Order(
            String function,
            String set,
            Map<String, String> about,
            @Nullable Completion completion,
            String by,
            Instant at) {}

    /** An item that is put on a queue. */
    record Completion(String queue, String text) {}

    /** The end of a job; {@code by} whom it was cancelled. */
    record End(Instant at, Reason reason, String by) {}

    static Job begun(Order order) {
        return new Job(order, JobState.WALKING, 0, 0, 0, 0, null, 0, 0, null, null, null);
    }

    /** Further chunks were found. */
    Job walked(int found, @Nullable String nextContinuation, boolean all, Instant now) {
        JobState next = all ? JobState.RUNNING : JobState.WALKING;
        return new Job(
                        order,
                        next,
                        level,
                        below,
                        chunks + found,
                        done,
                        nextContinuation,
                        handled,
                        failures,
                        result,
                        end,
                        claimedUntil)
                .whenAllDone(now);
    }

    Job finished(JobChunk chunk, Instant now) {
        return new Job(
                        order,
                        state,
                        level,
                        below,
                        chunks,
                        done + 1,
                        continuation,
                        handled + chunk.handled(),
                        failures,
                        chunk.result(),
                        end,
                        claimedUntil)
                .whenAllDone(now);
    }

    Job failedOnce() {
        return new Job(
                order,
                state,
                level,
                below,
                chunks,
                done,
                continuation,
                handled,
                failures + 1,
                result,
                end,
                claimedUntil);
    }

    Job ended(JobState how, End ended) {
        return new Job(order, how, level, below, chunks, done, null, handled, failures, result, ended, claimedUntil);
    }

    /** One process alone does what follows the end; until then no other does. */
    Job claimed(Instant until) {
        return new Job(order, state, level, below, chunks, done, continuation, handled, failures, result, end, until);
    }

    private Job whenAllDone(Instant now) {
        if (state != JobState.RUNNING || done < chunks) {
            return this;
        }
        return chunks > 1
                ? new Job(
                        order,
                        JobState.WALKING,
                        level + 1,
                        chunks,
                        0,
                        0,
                        null,
                        handled,
                        failures,
                        null,
                        end,
                        claimedUntil)
                : ended(JobState.DONE, new End(now, Reason.NONE, ""));
    }

    Values values() {
        Values.Builder values = Values.builder()
                .put("Function", order.function())
                .put("SetName", order.set())
                .put("StartedBy", order.by())
                .put("CreatedAt", order.at())
                .put("State", state.name())
                .put("Level", level)
                .put("Below", below)
                .put("Chunks", chunks)
                .put("Done", done)
                .put("Continuation", continuation)
                .put("Handled", handled)
                .put("Failures", failures)
                .put("Result", result)
                .put("ClaimedUntil", claimedUntil);
        order.about().forEach((key, value) -> values.put(ABOUT + key, value));
        Completion completion = order.completion();
        if (completion != null) {
            values.put("CompletionQueue", completion.queue()).put("CompletionText", completion.text());
        }
        if (end != null) {
            values.put("EndedAt", end.at())
                    .put("EndedBy", end.by())
                    .put("Reason", end.reason().stored());
        }
        return values.build();
    }

    static Job of(Values values) {
        Instant endedAt = values.instant("EndedAt");
        return new Job(
                order(values),
                JobState.valueOf(values.requireString("State")),
                values.integer("Level", 0),
                values.integer("Below", 0),
                values.integer("Chunks", 0),
                values.integer("Done", 0),
                values.string("Continuation"),
                values.number("Handled", 0),
                values.integer("Failures", 0),
                values.string("Result"),
                endedAt == null
                        ? null
                        : new End(endedAt, Reason.read(values.string("Reason")), values.string("EndedBy", "")),
                values.instant("ClaimedUntil"));
    }

    private static Order order(Values values) {
        Map<String, String> about = new LinkedHashMap<>();
        values.asMap().forEach((name, value) -> {
            if (name.startsWith(ABOUT)) {
                about.put(name.substring(ABOUT.length()), value.toString());
            }
        });
        String queue = values.string("CompletionQueue");
        return new Order(
                values.requireString("Function"),
                values.requireString("SetName"),
                about,
                queue == null ? null : new Completion(queue, values.requireString("CompletionText")),
                values.string("StartedBy", ""),
                values.requireInstant("CreatedAt"));
    }
}

package org.azuremail.blobset;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * A job over all values of a set, as stored in its row.
 *
 * @param order the request, which never changes
 * @param handled the progress of all finished chunks, in the job's own measure
 * @param failures the number of exceptions in all chunks
 * @param result the name of the blob with the result of the last finished chunk; once the job is done, this is the
 *     result of the job
 * @param end how and when the job ended; {@code null} while it runs
 * @param claimedUntil the time until which one process has reserved the steps after the end, or a mark of
 *     {@link JobCompletion}
 */
record Job(
        Request order,
        JobState state,
        Level level,
        long handled,
        int failures,
        @Nullable String result,
        @Nullable End end,
        @Nullable Instant claimedUntil) {

    private static final String ABOUT = "About_";

    /**
     * The request for a job.
     *
     * @param function the name of a {@link SetJob}
     * @param about the parameters of the job; keys consist of letters
     * @param completion the item to put on a queue after the job has succeeded
     * @param by the person who started the job; empty for the service itself
     */
    record Request(
            String function,
            String set,
            Map<String, String> about,
            @Nullable Completion completion,
            String by,
            Instant at) {}

    record Completion(String queue, String text) {}

    /** The end of a job. {@code by} names the person who cancelled it. */
    record End(Instant at, Reason reason, String by) {}

    /**
     * The current level.
     *
     * @param number 0 for the level over the set; each higher level is over the results of the level below
     * @param below the number of chunks of the level below
     * @param chunks the number of known chunks of this level
     * @param done the number of finished chunks of this level
     * @param continuation where the listing of the set continues
     */
    record Level(
            int number,
            int below,
            int chunks,
            int done,
            @Nullable String continuation) {

        private Level next() {
            return new Level(number + 1, chunks, 0, 0, null);
        }
    }

    static Job begun(Request order) {
        return new Job(order, JobState.WALKING, new Level(0, 0, 0, 0, null), 0, 0, null, null, null);
    }

    Job walked(int found, @Nullable String next, boolean all, Instant now) {
        Level walked = new Level(level.number, level.below, level.chunks + found, level.done, next);
        return with(all ? JobState.RUNNING : JobState.WALKING, walked, handled, result)
                .whenAllDone(now);
    }

    Job finished(JobChunk chunk, Instant now) {
        Level finished = new Level(level.number, level.below, level.chunks, level.done + 1, level.continuation);
        return with(state, finished, handled + chunk.handled(), chunk.result()).whenAllDone(now);
    }

    private Job whenAllDone(Instant now) {
        if (state != JobState.RUNNING || level.done < level.chunks) {
            return this;
        }
        return level.chunks > 1
                ? with(JobState.WALKING, level.next(), handled, null)
                : ended(JobState.DONE, new End(now, Reason.NONE, ""));
    }

    private Job with(JobState next, Level at, long handledSoFar, @Nullable String lastResult) {
        return new Job(order, next, at, handledSoFar, failures, lastResult, end, claimedUntil);
    }

    Job failedOnce() {
        return new Job(order, state, level, handled, failures + 1, result, end, claimedUntil);
    }

    Job ended(JobState how, End ended) {
        Level last = new Level(level.number, level.below, level.chunks, level.done, null);
        return new Job(order, how, last, handled, failures, result, ended, claimedUntil);
    }

    /** Returns a copy that reserves the steps after the end for one process until the given time. */
    Job claimed(Instant until) {
        return new Job(order, state, level, handled, failures, result, end, until);
    }

    Values values() {
        Values.Builder values = Values.builder()
                .put("Function", order.function())
                .put("SetName", order.set())
                .put("StartedBy", order.by())
                .put("CreatedAt", order.at())
                .put("State", state.name())
                .put("Level", level.number)
                .put("Below", level.below)
                .put("Chunks", level.chunks)
                .put("Done", level.done)
                .put("Continuation", level.continuation)
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
                new Level(
                        values.integer("Level", 0),
                        values.integer("Below", 0),
                        values.integer("Chunks", 0),
                        values.integer("Done", 0),
                        values.string("Continuation")),
                values.number("Handled", 0),
                values.integer("Failures", 0),
                values.string("Result"),
                endedAt == null
                        ? null
                        : new End(endedAt, Reason.read(values.string("Reason")), values.string("EndedBy", "")),
                values.instant("ClaimedUntil"));
    }

    private static Request order(Values values) {
        Map<String, String> about = new LinkedHashMap<>();
        values.asMap().forEach((name, value) -> {
            if (name.startsWith(ABOUT)) {
                about.put(name.substring(ABOUT.length()), value.toString());
            }
        });
        String queue = values.string("CompletionQueue");
        return new Request(
                values.requireString("Function"),
                values.requireString("SetName"),
                about,
                queue == null ? null : new Completion(queue, values.requireString("CompletionText")),
                values.string("StartedBy", ""),
                values.requireInstant("CreatedAt"));
    }
}

package org.azuremail.blobset;

import java.time.Instant;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * Work over all of a set, as its row says.
 *
 * @param function the name of the mapper or reducer
 * @param completion what is put when all is mapped
 * @param level 0 over the set; a reduction goes on over the results of the level below
 * @param below how many chunks the level below had
 * @param chunks how many chunks of this level are known
 * @param done how many of them are finished
 * @param continuation where the walk over the set goes on
 * @param claimedUntil until when one process alone tells who waits for the end
 */
record Job(
        Kind kind,
        String function,
        String set,
        @Nullable Completion completion,
        State state,
        int level,
        int below,
        int chunks,
        int done,
        @Nullable String continuation,
        @Nullable Instant claimedUntil,
        Instant createdAt) {

    enum Kind {
        MAP,
        REDUCE
    }

    enum State {
        /** Not all chunks of the level are known. */
        WALKING,
        /** All are known, not all are finished. */
        RUNNING,
        /** All are finished; who waits for it is being told. */
        COMPLETING,
        COMPLETED
    }

    /** An item that is put on a queue. */
    record Completion(String queue, String text) {}

    /** Further chunks were found. */
    Job walked(int found, @Nullable String nextContinuation, boolean all) {
        State next = all ? State.RUNNING : State.WALKING;
        return with(next, chunks + found, done, nextContinuation).whenAllDone();
    }

    /** One more chunk is finished. */
    Job finished() {
        return with(state, chunks, done + 1, continuation).whenAllDone();
    }

    /** One process alone tells who waits for the end; until then no other does. */
    Job claimed(Instant until) {
        return new Job(
                kind, function, set, completion, state, level, below, chunks, done, continuation, until, createdAt);
    }

    Job completed() {
        return with(State.COMPLETED, chunks, done, continuation);
    }

    private Job whenAllDone() {
        if (state != State.RUNNING || done < chunks) {
            return this;
        }
        return kind == Kind.REDUCE && chunks > 1 ? nextLevel() : with(State.COMPLETING, chunks, done, null);
    }

    private Job nextLevel() {
        return new Job(kind, function, set, completion, State.WALKING, level + 1, chunks, 0, 0, null, null, createdAt);
    }

    private Job with(State nextState, int nextChunks, int nextDone, @Nullable String next) {
        return new Job(
                kind,
                function,
                set,
                completion,
                nextState,
                level,
                below,
                nextChunks,
                nextDone,
                next,
                claimedUntil,
                createdAt);
    }

    Values values() {
        return Values.builder()
                .put("Kind", kind.name())
                .put("Function", function)
                .put("SetName", set)
                .put("CompletionQueue", completion == null ? null : completion.queue())
                .put("CompletionText", completion == null ? null : completion.text())
                .put("State", state.name())
                .put("Level", level)
                .put("Below", below)
                .put("Chunks", chunks)
                .put("Done", done)
                .put("Continuation", continuation)
                .put("ClaimedUntil", claimedUntil)
                .put("CreatedAt", createdAt)
                .build();
    }

    static Job of(Values values) {
        String queue = values.string("CompletionQueue");
        return new Job(
                Kind.valueOf(values.requireString("Kind")),
                values.requireString("Function"),
                values.requireString("SetName"),
                queue == null ? null : new Completion(queue, values.requireString("CompletionText")),
                State.valueOf(values.requireString("State")),
                values.integer("Level", 0),
                values.integer("Below", 0),
                values.integer("Chunks", 0),
                values.integer("Done", 0),
                values.string("Continuation"),
                values.instant("ClaimedUntil"),
                values.requireInstant("CreatedAt"));
    }
}

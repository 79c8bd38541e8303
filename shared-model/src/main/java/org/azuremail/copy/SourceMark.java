package org.azuremail.copy;

import java.time.Instant;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * The mark in a storage that is or was copied to another storage. No process may run on it.
 *
 * @param target the name of the storage to which it is copied
 * @param finishedAt the time at which the copy was finished; {@code null} while it is unfinished
 */
record SourceMark(
        String copy,
        String target,
        Instant startedAt,
        @Nullable Instant finishedAt) {

    boolean finished() {
        return finishedAt != null;
    }

    SourceMark finishedAt(Instant now) {
        return new SourceMark(copy, target, startedAt, now);
    }

    Values values() {
        return Values.builder()
                .put("Copy", copy)
                .put("Target", target)
                .put("StartedAt", startedAt)
                .put("FinishedAt", finishedAt)
                .build();
    }

    static SourceMark of(Values values) {
        return new SourceMark(
                values.requireString("Copy"),
                values.requireString("Target"),
                values.requireInstant("StartedAt"),
                values.instant("FinishedAt"));
    }
}

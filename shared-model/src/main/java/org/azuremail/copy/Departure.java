package org.azuremail.copy;

import java.time.Instant;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * The mark in a storage that is, or was, copied to another: no process may run on it.
 *
 * @param target name of the storage to which it goes
 * @param finishedAt when everything was there; {@code null} while the copy is unfinished
 */
record Departure(
        String copy,
        String target,
        Instant startedAt,
        @Nullable Instant finishedAt) {

    boolean finished() {
        return finishedAt != null;
    }

    Departure finishedAt(Instant now) {
        return new Departure(copy, target, startedAt, now);
    }

    Values values() {
        return Values.builder()
                .put("Copy", copy)
                .put("Target", target)
                .put("StartedAt", startedAt)
                .put("FinishedAt", finishedAt)
                .build();
    }

    static Departure of(Values values) {
        return new Departure(
                values.requireString("Copy"),
                values.requireString("Target"),
                values.requireInstant("StartedAt"),
                values.instant("FinishedAt"));
    }
}

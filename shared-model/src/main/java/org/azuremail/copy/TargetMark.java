package org.azuremail.copy;

import java.time.Instant;
import org.azuremail.storage.Values;

/**
 * The mark in a storage to which another storage is or was copied. No process may run on it before the copy is
 * finished.
 *
 * @param source the name of the storage that is copied
 * @param writes the number of writes of this row, so that no two versions of it are equal
 */
record TargetMark(String copy, String source, State state, Position position, Instant changedAt, long writes) {

    enum State {
        COPYING,
        FINISHED,
        /** The copy was abandoned, and the copied data is worthless. */
        ABANDONED
    }

    static TargetMark begin(String copy, String source, Instant now) {
        return new TargetMark(copy, source, State.COPYING, Position.START, now, 1);
    }

    TargetMark at(Position next, Instant now) {
        return new TargetMark(copy, source, state, next, now, writes + 1);
    }

    TargetMark in(State next, Instant now) {
        return new TargetMark(copy, source, next, position, now, writes + 1);
    }

    Values values() {
        Values.Builder values = Values.builder()
                .put("Copy", copy)
                .put("Source", source)
                .put("State", state.name())
                .put("ChangedAt", changedAt)
                .put("Writes", writes);
        position.put(values);
        return values.build();
    }

    static TargetMark of(Values values) {
        return new TargetMark(
                values.requireString("Copy"),
                values.requireString("Source"),
                State.valueOf(values.requireString("State")),
                Position.of(values),
                values.requireInstant("ChangedAt"),
                values.number("Writes", 0));
    }
}

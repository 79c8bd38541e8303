package org.azuremail.message;

import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * The state of a message.
 *
 * @param pauseReason why it is paused; none when an admin paused it
 * @param draft whether it is kept paused until an admin sends or schedules it; false for messages of versions that
 *     did not record this
 * @param generation counts reopenings; is in every email row and outcome
 * @param reopening the recipients of an unfinished reopening; {@code null} without one
 * @param restored whether a restored backup was processed, and its consequences for the message
 * @param warned whether it was paused for bounces or complaints before, so that it is not paused for them again
 */
public record State(
        MessageStatus status,
        boolean paused,
        Reason pauseReason,
        boolean draft,
        int generation,
        @Nullable Reopened reopening,
        Restoration restored,
        boolean warned) {

    static State pending(boolean draft) {
        return new State(MessageStatus.PENDING, draft, Reason.NONE, draft, 0, null, Restoration.NONE, false);
    }

    static State from(Values v) {
        return new State(
                MessageStatus.of(v.requireString("Status")),
                v.bool("Paused", false),
                Reason.read(v.string("PauseReason")),
                v.bool("Draft", false),
                v.integer("Generation", 0),
                Reopened.read(v.string("Reopening", "")),
                Restoration.from(v),
                v.bool("Warned", false));
    }

    State become(MessageStatus next) {
        if (!status.mayBecome(next)) {
            throw new IllegalStateException("a message cannot go from " + status + " to " + next);
        }
        return new State(next, paused, pauseReason, draft, generation, reopening, restored, warned);
    }

    State pausedFor(Reason reason) {
        boolean tooMany = reason.is(ReasonCode.TOO_MANY_BOUNCES) || reason.is(ReasonCode.TOO_MANY_COMPLAINTS);
        return new State(status, true, reason, draft, generation, reopening, restored, warned || tooMany);
    }

    State resumed() {
        return new State(status, false, Reason.NONE, false, generation, reopening, restored, warned);
    }

    State asDraft() {
        return new State(status, true, pauseReason, true, generation, reopening, restored, warned);
    }

    State reopenedFor(Reopened whom) {
        Restoration settled = new Restoration(restored.epoch(), false);
        return new State(status, paused, pauseReason, draft, generation + 1, whom, settled, warned);
    }

    State reopeningFinished() {
        return new State(status, paused, pauseReason, draft, generation, null, restored, warned);
    }

    State afterRestore(Restoration restoration) {
        return new State(status, paused, pauseReason, draft, generation, reopening, restoration, warned);
    }
}

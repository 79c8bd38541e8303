package org.azuremail.message;

import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

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
public record MessageState(
        MessageStatus status,
        boolean paused,
        Reason pauseReason,
        boolean draft,
        int generation,
        @Nullable ReopenScope reopening,
        Restoration restored,
        boolean warned) {

    static MessageState pending(boolean draft) {
        return new MessageState(MessageStatus.PENDING, draft, Reason.NONE, draft, 0, null, Restoration.NONE, false);
    }

    static MessageState from(Values v) {
        return new MessageState(
                MessageStatus.of(v.requireString("Status")),
                v.bool("Paused", false),
                Reason.read(v.string("PauseReason")),
                v.bool("Draft", false),
                v.integer("Generation", 0),
                ReopenScope.read(v.string("Reopening", "")),
                Restoration.from(v),
                v.bool("Warned", false));
    }

    MessageState become(MessageStatus next) {
        Assert.state(status.mayBecome(next), "a message cannot go from " + status + " to " + next);
        return new MessageState(next, paused, pauseReason, draft, generation, reopening, restored, warned);
    }

    MessageState pausedFor(Reason reason) {
        boolean tooMany = reason.is(ReasonCode.TOO_MANY_BOUNCES) || reason.is(ReasonCode.TOO_MANY_COMPLAINTS);
        return new MessageState(status, true, reason, draft, generation, reopening, restored, warned || tooMany);
    }

    MessageState resumed() {
        return new MessageState(status, false, Reason.NONE, false, generation, reopening, restored, warned);
    }

    MessageState asDraft() {
        return new MessageState(status, true, pauseReason, true, generation, reopening, restored, warned);
    }

    MessageState reopenedFor(ReopenScope scope) {
        Restoration settled = new Restoration(restored.epoch(), false);
        return new MessageState(status, paused, pauseReason, draft, generation + 1, scope, settled, warned);
    }

    MessageState reopeningFinished() {
        return new MessageState(status, paused, pauseReason, draft, generation, null, restored, warned);
    }

    MessageState afterRestore(Restoration restoration) {
        return new MessageState(status, paused, pauseReason, draft, generation, reopening, restoration, warned);
    }
}

package org.azuremail.sender;

import java.util.List;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.subscription.subscriber.DepartureReason;

/**
 * Skip: who left since the fan-out is not mailed, and nobody is once the message is cancelled. They are Skipped, or Unknown
 * where a mail of theirs may have left before.
 */
final class Skipping {

    private final RangeAttempt attempt;
    private final Recording recording;

    Skipping(RangeAttempt attempt, Recording recording) {
        this.attempt = attempt;
        this.recording = recording;
    }

    /** Whether there was somebody to skip. */
    boolean skip(RangeView seen) {
        LotBounds again = attempt.resent();
        Outcomes outcomes = recording.outcomes();
        for (WaitingRow row : toSkip(seen)) {
            boolean doubt = again != null && again.covers(row.rowKey());
            DepartureReason left = seen.whyLeft(row);
            Reason reason = Reason.of(left == null ? ReasonCode.CANCELLED : left);
            outcomes.add(row, doubt ? Outcome.UNKNOWN : Outcome.SKIPPED, reason);
        }
        recording.record(seen, outcomes);
        return !outcomes.isEmpty();
    }

    /** Whether somebody is to be skipped. */
    boolean wanted(RangeView seen) {
        return !toSkip(seen).isEmpty();
    }

    private static List<WaitingRow> toSkip(RangeView seen) {
        return seen.message().status() == MessageStatus.CANCELLED
                ? seen.open()
                : seen.open().stream().filter(seen::hasLeft).toList();
    }
}

package org.azuremail.sender;

import java.util.List;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Outcome;

/**
 * A lease that ran out in Handing: the lot that somebody else began to hand over. Whoever has no outcome becomes Unknown, or
 * is handed over once more, and only once. After a restore that is the whole range, and its note says why.
 */
final class LapsedLot {

    private final RangeAttempt attempt;
    private final Recording recording;

    /** Whether R was found in Handing and its lot is still to be decided. */
    private boolean inherited;

    LapsedLot(RangeAttempt attempt, Recording recording) {
        this.attempt = attempt;
        this.recording = recording;
        this.inherited = attempt.handing();
    }

    boolean undecided() {
        inherited &= attempt.handing();
        return inherited;
    }

    void decide(RangeView seen) {
        LotBounds lot = attempt.range().lot();
        List<WaitingRow> rows = lot == null ? List.of() : seen.openIn(lot);
        if (lot != null && !rows.isEmpty() && !lot.resent() && seen.message().onUnknown() == OnUnknown.RESEND) {
            LotBounds again = new LotBounds(lot.from(), lot.to(), true);
            inherited = !attempt.write(range -> range.claimed(again));
            return;
        }
        Outcomes outcomes = recording.outcomes();
        String note = attempt.range().note();
        String why = note.isEmpty() ? "the sender stopped while handing this mail over" : note;
        rows.forEach(row -> outcomes.add(row, Outcome.UNKNOWN, why));
        recording.record(seen, outcomes);
        inherited = false;
    }
}

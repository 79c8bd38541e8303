package org.azuremail.sender;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.LotBounds;
import org.azuremail.journal.Journal;
import org.azuremail.journal.LotNotes;
import org.azuremail.journal.LotNotes.Fate;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lot that another attempt began to hand over before its lease ran out. Each of its recipients without an outcome
 * becomes Unknown, or is handed over one last time. If this host's journal contains the lot, the answers in it count,
 * and recipients whose email was not begun are not in doubt. After a restore, the lot is the whole range, and its note
 * says why.
 */
final class LapsedLot {

    private static final Logger LOG = LoggerFactory.getLogger(LapsedLot.class);

    private final HeldRange held;
    private final OutcomeRecorder recorder;
    private final Journal journal;

    /** Whether R was found in Handing and its lot has not been decided yet. */
    private boolean inherited;

    LapsedLot(HeldRange held, OutcomeRecorder recorder, Journal journal) {
        this.held = held;
        this.recorder = recorder;
        this.journal = journal;
        this.inherited = held.handing();
    }

    boolean undecided() {
        inherited &= held.handing();
        return inherited;
    }

    void decide(RangeView seen) {
        LotBounds lot = held.range().lot();
        if (lot == null) {
            inherited = false;
            return;
        }
        Judgment judged = judge(seen, lot);
        recorder.record(seen, judged.outcomes);
        logJudgment(judged);
        // A recipient who was in doubt before still has a last hand-over ahead.
        List<EmailRow> onceMore = lot.resent() ? judged.notSent : judged.doubtful;
        if (judged.notSent.isEmpty() && judged.doubtful.isEmpty()) {
            inherited = false; // The clear that follows ends the lot.
        } else {
            LotBounds again = onceMore.isEmpty() ? null : LotBounds.around(onceMore, true);
            inherited = !held.write(range -> range.claimed(again));
        }
    }

    /**
     * @param notSent recipients whose email did not leave
     * @param doubtful recipients in doubt who are handed over one last time
     */
    private record Judgment(OutcomeRecorder.Outcomes outcomes, List<EmailRow> notSent, List<EmailRow> doubtful) {}

    private Judgment judge(RangeView seen, LotBounds lot) {
        boolean resends = seen.message().onUnknown() == OnUnknown.RESEND;
        Optional<LotNotes> notes = journal.find(lot.id());
        Judgment judged = new Judgment(recorder.outcomes(), new ArrayList<>(), new ArrayList<>());
        for (EmailRow row : seen.openIn(lot)) {
            Fate fate = notes.map(known -> known.fate(row.rowKey())).orElseGet(Fate.InDoubt::new);
            if (fate instanceof Fate.Sent sent) {
                judged.outcomes.sent(row, sent.providerId(), null);
            } else if (fate instanceof Fate.Failed failed) {
                judged.outcomes.add(row, Outcome.FAILED, failed.reason(), null);
            } else if (fate instanceof Fate.NotSent && (resends || !lot.resent())) {
                judged.notSent.add(row);
            } else if (resends && !lot.resent()) {
                judged.doubtful.add(row);
            } else {
                judged.outcomes.add(row, Outcome.UNKNOWN, why(), null);
            }
        }
        return judged;
    }

    private void logJudgment(Judgment judged) {
        long unknown = judged.outcomes.count(Outcome.UNKNOWN);
        if (unknown > 0 || !judged.doubtful.isEmpty()) {
            LOG.warn(
                    "Message {}: {} mails may or may not have gone out, {} are handed over once more: {}",
                    held.key().shard().ref(),
                    unknown,
                    judged.doubtful.size(),
                    why());
        }
    }

    private Reason why() {
        Reason note = held.range().delay().reason();
        return note.none() ? Reason.of(ReasonCode.SENDER_STOPPED) : note;
    }
}

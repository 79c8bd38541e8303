package org.azuremail.sender;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.LotBounds;
import org.azuremail.delivery.Range;
import org.azuremail.delivery.WaitingRow;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOver;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.storage.StorageException;
import org.azuremail.work.run.Delivery;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handing: R says which lot is about to leave, the own lease is checked, and the transport call follows at once. A
 * throw of the transport is an unknown for whoever has no outcome. As long as this attempt lives it knows whether the lot
 * left that R announces: after an outage of the storage it takes an announcement back.
 */
final class LotHandOver {

    private static final Logger LOG = LoggerFactory.getLogger(LotHandOver.class);

    private static final Duration RENEW_BELOW = Duration.ofSeconds(15);
    private static final Clearing.Part NOTHING_ENDS = new Clearing.Part(List.of(), OutcomeCounts.NONE);

    private final Delivery delivery;
    private final RangeAttempt attempt;
    private final LotAnswers answers;
    private final AttemptNotes notes;

    private boolean lost;

    /** What the last lot left from, when everybody in it has an outcome. */
    private @Nullable RangeView before;

    /** Whether a lot was handed over whose answers are not all on record or remembered. */
    private boolean inTheAir;

    LotHandOver(Delivery delivery, RangeAttempt attempt, LotAnswers answers, AttemptNotes notes) {
        this.delivery = delivery;
        this.attempt = attempt;
        this.answers = answers;
        this.notes = notes;
    }

    /**
     * Hands a lot over, unless R cannot be written, and records every answer, whoever holds the range by now. Mails that its
     * transport did not take go by another one in the next turn, in a lot of their own.
     *
     * @throws LeaseLost when somebody else took the range meanwhile
     */
    void handOver(RangeView seen, Preparation.Ready lot) {
        handOver(seen, lot, NOTHING_ENDS);
    }

    /**
     * The same in the batch that clears the rest of the lot before it: one call less for each lot.
     *
     * @param ended what ends the lot before
     */
    void handOver(RangeView seen, Preparation.Ready lot, Clearing.Part ended) {
        before = null;
        LotBounds bounds = bounds(lot.rows());
        LotNote note = notes.open(lot.by().route().transport(), lot.rows());
        try {
            if (announce(seen, bounds, note, ended) && attempt.ownsFor(Duration.ZERO)) {
                inTheAir = true;
                HandOver said = callTransport(lot, note);
                settle(seen, lot, said);
                before = seen.openIn(bounds).isEmpty() ? seen : null;
            }
        } finally {
            note.ends();
            lot.by().route().leave();
        }
    }

    private boolean announce(RangeView seen, LotBounds bounds, LotNote note, Clearing.Part ended) {
        UnaryOperator<Range> handing = range -> range.handing(bounds, note.id());
        if (ended.rows().isEmpty()) {
            return attempt.write(handing);
        }
        boolean written = attempt.write(range -> handing.apply(range.counted(ended.counts())), ended.deletes());
        if (written) {
            seen.cleared(ended.rows());
        }
        return written;
    }

    /**
     * Whether the lot before left from what was read here, everybody in it has an outcome, and nothing was refused since: only
     * then may its clear announce the next lot. A clear that is repeated never does.
     */
    boolean goesOnFrom(RangeView seen) {
        return before == seen;
    }

    private void settle(RangeView seen, Preparation.Ready lot, HandOver said) {
        answers.settle(seen, lot.rows(), said, lot.by().route(), lot.noted());
        inTheAir = false;
        lot.by().route().recorded(said);
        lot.by().heard(said);
        said.unavailable().ifPresent(why -> attempt.routing().tire(lot.by().route(), why));
        if (lost) {
            throw new LeaseLost(attempt.key().toString());
        }
    }

    /** Whether R announces a lot, or may do so, of which only this attempt knows what became. */
    boolean aloneKnows() {
        return attempt.mayBeHanding() && !inTheAir;
    }

    /**
     * After an outage: R says Claimed again, so that nobody takes for handed over what was not. Whoever was handed over has an
     * outcome, or waits for the next clear.
     *
     * @throws LeaseLost when somebody else took the range meanwhile
     */
    void takeBack() {
        attempt.readAgain();
        if (attempt.handing()) {
            LotBounds again = answers.resend() == null ? attempt.resent() : answers.resend();
            attempt.write(range -> range.claimed(again));
        }
    }

    private LotBounds bounds(List<WaitingRow> rows) {
        LotBounds again = attempt.resent();
        return again != null ? again : LotBounds.around(rows, false);
    }

    private HandOver callTransport(Preparation.Ready lot, LotNote note) {
        lost = false;
        try {
            return lot.by().route().transport().handOver(lot.mails(), note.guard(this::mayContinue));
        } catch (RuntimeException e) {
            LOG.warn("handing over a lot of {} threw", attempt.key(), e);
            return HandOver.same(lot.rows().size(), new Answer.Unknown(Reason.said(e.getMessage())));
        }
    }

    /**
     * Between two mails of a lot, and while one waits for its answer: the lease is checked, and renewed before it gets short.
     * Where that cannot be said, or the process is to stop, the lot ends here: what was answered so far is known nowhere else,
     * and the mails that were not begun are taken back.
     */
    private boolean mayContinue() {
        if (lost) {
            return false;
        }
        try {
            boolean ours = attempt.ownsFor(RENEW_BELOW) || renewed();
            return ours && !delivery.stopping();
        } catch (LeaseLost e) {
            lost = true;
            return false;
        } catch (StorageException outOfReach) {
            return false;
        }
    }

    /** To renew the lease may take longer than it lasts. */
    private boolean renewed() {
        return attempt.write(UnaryOperator.identity()) && attempt.ownsFor(Duration.ZERO);
    }
}

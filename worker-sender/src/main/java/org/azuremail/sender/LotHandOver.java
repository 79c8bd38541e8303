package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.LotBounds;
import org.azuremail.delivery.range.Range;
import org.azuremail.journal.Journal;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.MailTransport;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.Outcome;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Attempt;
import org.azuremail.storage.StorageException;
import org.azuremail.work.service.Delivery;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Handing phase: R announces the lot, the attempt checks its own lease, and the transport call follows at once.
 * Answers that are outcomes are recorded; the others are remembered until the next clear writes them. While this
 * attempt lives, it knows whether the announced lot left. After an outage of the storage, it takes back the
 * announcement of a lot that did not leave.
 */
final class LotHandOver {

    private static final Logger LOG = LoggerFactory.getLogger(LotHandOver.class);

    private final SenderContext context;
    private final HeldRange held;
    private final Attempt attempt;
    private final OutcomeRecorder recorder;
    private final Retries retries;
    private final Delivery delivery;

    /** The notes of hand-overs in the journal. A sender may ask for a note for as long as R may name it. */
    private final List<String> notes = new ArrayList<>();

    /** Recipients in doubt who are to be handed over one last time, until a write records them. */
    private @Nullable LotBounds resend;

    /** Whether the lease was lost between two emails. */
    private boolean lost;

    /** Whether a lot was handed over and some of its answers are neither recorded nor remembered. */
    private boolean inFlight;

    /** The view from which the last lot was made, set once all recipients of that lot have an outcome. */
    private @Nullable RangeView lastView;

    LotHandOver(
            SenderContext context,
            HeldRange held,
            Attempt attempt,
            OutcomeRecorder recorder,
            Retries retries,
            Delivery delivery) {
        this.context = context;
        this.held = held;
        this.attempt = attempt;
        this.recorder = recorder;
        this.retries = retries;
        this.delivery = delivery;
    }

    /**
     * Hands a lot over, unless R cannot be written, and records every answer even if another attempt has taken the
     * range. Emails that the transport did not take leave in the next turn, by another transport and in a separate lot.
     *
     * @param ended the rows that the batch with the announcement clears, which saves one call for each lot
     * @throws HeldRange.LeaseLost when another attempt took the range meanwhile
     */
    void handOver(RangeView seen, Preparation.Lot lot, RangeRun.Clear ended) {
        lastView = null;
        String note = openNote(lot.route().transport());
        try {
            LotBounds again = held.resent();
            LotBounds bounds = (again != null ? again : LotBounds.around(lot.rows(), false)).named(note);
            if (announce(seen, bounds, ended) && held.ownsFor(Duration.ZERO)) {
                inFlight = true;
                HandOverResult result = callTransport(lot, note);
                settle(seen, lot, result);
                lastView = seen.openIn(bounds).isEmpty() ? seen : null;
            }
        } finally {
            context.journal().endLot(note);
            lot.route().leave();
        }
    }

    /** If the transport does not report on each email, a missing note would prove nothing, so no notes are written. */
    private String openNote(MailTransport transport) {
        if (!transport.reportsEachEmail()) {
            return "";
        }
        String note = context.journal()
                .openLot(
                        JournalRecovery.location(held.key(), held.range().span().generation()));
        notes.add(note);
        return note;
    }

    private boolean announce(RangeView seen, LotBounds bounds, RangeRun.Clear ended) {
        boolean written = held.write(range -> range.counted(ended.counts()).handing(bounds), ended.deletes());
        if (written) {
            seen.cleared(ended.rows());
        }
        return written;
    }

    private HandOverResult callTransport(Preparation.Lot lot, String note) {
        lost = false;
        try {
            MailTransport.Guard guard = note.isEmpty()
                    ? this::mayContinue
                    : new JournalingGuard(context.journal(), note, lot.rows(), this::mayContinue);
            return lot.selected().handOver(lot.mails(), guard, brokenSince(lot));
        } catch (RuntimeException e) {
            LOG.warn("handing over a lot of {} threw", held.key(), e);
            Reason broke = Reason.of(ReasonCode.TRANSPORT_BROKE, e.toString());
            return HandOverResult.same(lot.rows().size(), new Answer.Unknown(broke));
        }
    }

    private static @Nullable Instant brokenSince(Preparation.Lot lot) {
        return lot.rows().stream()
                .map(EmailRow::brokenSince)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Writes to the journal which emails the transport begins, and their answers. */
    private record JournalingGuard(Journal journal, String note, List<EmailRow> rows, MailTransport.Guard guard)
            implements MailTransport.Guard {

        @Override
        public boolean mayContinue() {
            return guard.mayContinue();
        }

        @Override
        public void begins(int mail) {
            journal.recordBegun(note, rows.get(mail).rowKey());
        }

        @Override
        public void answered(int mail, Answer answer) {
            journal.recordAnswer(note, rows.get(mail).rowKey(), answer);
        }
    }

    /**
     * Checks the lease between two emails of a lot and while one waits for its answer, and renews the lease before it
     * gets short. If the lease is uncertain or the process stops, the lot ends here. The answers so far are known only
     * to this attempt and must be recorded; the emails that were not begun are taken back.
     */
    private boolean mayContinue() {
        if (lost) {
            return false;
        }
        try {
            return held.renewed() && !delivery.stopping();
        } catch (HeldRange.LeaseLost e) {
            lost = true;
            return false;
        } catch (StorageException outOfReach) {
            return false;
        }
    }

    private void settle(RangeView seen, Preparation.Lot lot, HandOverResult result) {
        recordAnswers(seen, lot, result);
        inFlight = false;
        lot.route().recorded(result);
        lot.selected().report(result);
        result.unavailable()
                .filter(why -> lot.route().believesUnavailable(result, brokenSince(lot)))
                .ifPresent(why -> attempt.backOff(lot.route(), why));
        if (lost) {
            throw new HeldRange.LeaseLost(held.key().toString());
        }
    }

    private void recordAnswers(RangeView seen, Preparation.Lot lot, HandOverResult result) {
        boolean again = seen.message().onUnknown() == OnUnknown.RESEND && held.resent() == null;
        OutcomeRecorder.Outcomes outcomes = recorder.outcomes();
        boolean down = result.unavailable().isPresent();
        List<EmailRow> doubtful = new ArrayList<>();
        for (int i = 0; i < lot.rows().size(); i++) {
            EmailRow row = lot.rows().get(i);
            Answer answer = result.answers().get(i);
            if (answer instanceof Answer.Unknown && again) {
                doubtful.add(row);
            } else {
                sort(row, answer, outcomes, lot, down);
            }
        }
        held.searching(new Range.Search(0, held.search().lotLimit()));
        recorder.recordWithRetry(seen, outcomes);
        if (!doubtful.isEmpty()) {
            resend = LotBounds.around(doubtful, true);
        }
    }

    /**
     * Collects an outcome, or remembers an email that is to be tried later.
     *
     * @param down whether the transport took nothing from this process, so that a broken conversation is not the
     *     recipient's fault
     */
    private void sort(
            EmailRow row, Answer answer, OutcomeRecorder.Outcomes outcomes, Preparation.Lot lot, boolean down) {
        if (answer instanceof Answer.Accepted accepted) {
            outcomes.sent(row, accepted.providerId(), lot.transportName());
        } else if (answer instanceof Answer.Refused refused) {
            outcomes.add(row, Outcome.FAILED, refused.reason(), lot.transportName());
        } else if (answer instanceof Answer.Unknown unknown) {
            outcomes.add(row, Outcome.UNKNOWN, unknown.reason(), lot.transportName());
        } else if (answer instanceof Answer.RetryAfter retry && !retries.add(row, retry, lot.route(), down)) {
            outcomes.add(row, Outcome.FAILED, retry.reason(), lot.transportName());
        }
    }

    boolean unwritten() {
        return !retries.isEmpty() || resend != null;
    }

    @Nullable
    LotBounds resend() {
        return resend;
    }

    void clearWritten() {
        resend = null;
    }

    /**
     * Returns whether the last lot was made from this view, all of its recipients have an outcome, and no write was
     * refused since. Only then may its clear announce the next lot; a repeated clear never announces one.
     */
    boolean mayAnnounceNext(RangeView seen) {
        return lastView == seen;
    }

    /** Returns whether R announces, or may announce, a lot whose fate only this attempt knows. */
    boolean ownsUnrecordedLot() {
        return held.mayBeHanding() && !inFlight;
    }

    /**
     * Sets R back to Claimed after an outage, so that other processes do not believe that a lot was handed over when it
     * was not. Each recipient who was handed over has an outcome or waits for the next clear.
     *
     * @throws HeldRange.LeaseLost when another attempt took the range meanwhile
     */
    void withdraw() {
        held.readAgain();
        if (held.handing()) {
            LotBounds again = resend == null ? held.resent() : resend;
            held.write(range -> range.claimed(again));
        }
    }

    void forgetNotes() {
        if (!held.mayBeHanding()) {
            notes.forEach(context.journal()::forgetLot);
        }
    }
}

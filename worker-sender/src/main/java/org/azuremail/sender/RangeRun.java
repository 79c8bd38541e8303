package org.azuremail.sender;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.range.EmailRow;
import org.azuremail.delivery.range.InFlightParts;
import org.azuremail.delivery.range.LotBounds;
import org.azuremail.delivery.range.Range;
import org.azuremail.message.MessageStatus;
import org.azuremail.message.Outcome;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Attempt;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.WorkResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt at a range, from its claim ({@link HeldRange}) until the range is done, has to wait, or belongs to
 * another attempt. It works lot by lot, in turns. A turn takes the first of these steps that the rows as read call for:
 *
 * <ol>
 *   <li>read: {@link HeldRange#view};
 *   <li>decide a lot that lapsed in Handing: {@link LapsedLot};
 *   <li>clear rows with an outcome; the last clear of a lot writes Handing for the next one;
 *   <li>skip recipients who must not be emailed;
 *   <li>prepare the next lot, or release the range: {@link Preparation}, {@link RangeWait};
 *   <li>write Handing, hand the lot over and record the answers: {@link LotHandOver}.
 * </ol>
 *
 * Between turns, an attempt remembers only whether it called a transport and what the transport answered. No other
 * process knows this, so the attempt waits while the storage is away.
 */
final class RangeRun {

    private static final Logger LOG = LoggerFactory.getLogger(RangeRun.class);

    private final SenderContext context;
    private final HeldRange held;
    private final Delivery delivery;
    private final InFlightParts inFlightParts;
    private final Attempt attempt;
    private final OutcomeRecorder recorder;
    private final LapsedLot lapsed;
    private final Preparation preparation;
    private final Retries retries;
    private final LotHandOver handOver;
    private final StorageWait storageWait;
    private boolean storageWasAway;

    /** The message's ETag in the last turn. If it was edited or resumed, an earlier answer may be out of date. */
    private @Nullable String messageEtag;

    RangeRun(SenderContext context, HeldRange held, Delivery delivery, InFlightParts inFlight) {
        this.context = context;
        this.held = held;
        this.delivery = delivery;
        this.inFlightParts = inFlight;
        this.attempt = new Attempt(held.nonce(), context.time(), () -> !delivery.stopping());
        this.recorder = new OutcomeRecorder(context, held, delivery, new HashSet<>());
        this.lapsed = new LapsedLot(held, recorder, context.journal());
        this.preparation = new Preparation(
                context, held, attempt, new RangeWait(context, held, attempt), recorder, new HashMap<>());
        this.retries = new Retries(context.time());
        this.handOver = new LotHandOver(context, held, attempt, recorder, retries, delivery);
        this.storageWait = new StorageWait(context.time(), delivery);
    }

    WorkResult run() {
        try {
            WorkResult result = null;
            while (result == null) {
                result = turnOrWait();
            }
            return result;
        } catch (HeldRange.LeaseLost e) {
            LOG.debug("{}", e.getMessage());
            return WorkResult.DONE;
        } finally {
            handOver.forgetNotes();
            recorder.recountChanged();
        }
    }

    /**
     * Takes one turn. If the storage fails in it while only this attempt knows the fate of its lot, the next turn
     * waits.
     */
    private @Nullable WorkResult turnOrWait() {
        try {
            if (storageWasAway) {
                handOver.withdraw();
                storageWasAway = false;
            }
            WorkResult result = turn();
            storageWait.reset();
            return result;
        } catch (StorageException away) {
            boolean stays = handOver.ownsUnrecordedLot()
                    || (away.reason() == StorageException.Reason.THROTTLED && canWaitOutThrottling());
            if (away.reason() == StorageException.Reason.CORRUPT || lapsed.undecided() || !stays) {
                noteMissing(away);
                throw away;
            }
            storageWasAway = true;
            storageWait.pauseOrRethrow(away);
            return null;
        }
    }

    /**
     * Records the reason for the wait, which the message's page shows. R stays as it is while it may announce a lot,
     * and while answers are still to be written.
     */
    private void noteMissing(StorageException away) {
        if (away.reason() == StorageException.Reason.MISSING && !held.mayBeHanding() && !handOver.unwritten()) {
            held.write(range -> range.released(null, Reason.of(ReasonCode.STORAGE_LACKS)));
        }
    }

    /**
     * Returns whether a throttled storage is waited for, because an abandoned claim would block the range until its
     * lease ends.
     */
    private boolean canWaitOutThrottling() {
        return !held.mayBeHanding() && held.ownsFor(RangeWait.MIN_LEASE_LEFT);
    }

    /** Takes one step. A result ends the run. */
    private @Nullable WorkResult turn() {
        RangeView seen = held.view();
        String etag = seen.messageRead().etag();
        if (!etag.equals(messageEtag)) {
            attempt.clearBackoffs();
            messageEtag = etag;
        }
        seen.refreshSuppressions(context, held.range());
        if (lapsed.undecided()) {
            // The admin who paused the message may still decide about recipients in doubt.
            if (seen.message().paused()) {
                return WorkResult.DONE;
            }
            lapsed.decide(seen);
            return null;
        }
        if (!seen.settled().isEmpty() || handOver.unwritten()) {
            return clear(seen);
        }
        if (seen.open().isEmpty()) {
            return held.write(Range::finished) ? done() : null;
        }
        if (skip(seen)) {
            return null;
        }
        if (seen.message().paused()) {
            return giveBack(WorkResult.DONE);
        }
        if (delivery.stopping()) {
            return giveBack(new WorkResult.RetryAfter(Duration.ZERO));
        }
        return mailNextLot(seen);
    }

    private @Nullable WorkResult mailNextLot(RangeView seen) {
        Preparation.Result prepared = preparation.prepare(seen);
        if (prepared instanceof Preparation.NoLot none) {
            return none.result();
        }
        handOver.handOver(
                seen,
                (Preparation.Lot) prepared,
                new Clear(List.of(), held.range().counts()));
        return null;
    }

    /**
     * Email rows that are deleted in one batch with R.
     *
     * @param counts of R, including these rows
     */
    record Clear(List<RangeView.Settled> rows, OutcomeCounts counts) {

        List<Write> deletes() {
            return rows.stream()
                    .map(settled -> Write.delete(settled.row().row()))
                    .toList();
        }
    }

    /**
     * Deletes rows with an outcome, which R counts, and makes delayed rows wait, in one atomic batch. The clear that
     * ends a lot announces the next lot if that can leave at once; the clear that ends the range sets it to Done.
     */
    private @Nullable WorkResult clear(RangeView seen) {
        Clear clear = nextClear(seen);
        boolean all = clear.rows().size() == seen.settled().size();
        if (all && !clear.rows().isEmpty() && mayAnnounceNext(seen)) {
            Optional<Preparation.Lot> next = preparation.tryPrepare(seen);
            if (next.isPresent()) {
                handOver.handOver(seen, next.get(), clear);
                return null;
            }
        }
        return write(seen, clear, all && seen.open().isEmpty());
    }

    private Clear nextClear(RangeView seen) {
        int max = Math.min(
                context.deliveries().limits().rowsPerClear(), seen.settled().size());
        List<RangeView.Settled> rows = List.copyOf(seen.settled().subList(0, max));
        OutcomeCounts counts = held.range().counts();
        for (RangeView.Settled settled : rows) {
            counts = settled.outcome().addTo(counts);
        }
        return new Clear(rows, counts);
    }

    private boolean mayAnnounceNext(RangeView seen) {
        return handOver.mayAnnounceNext(seen)
                && !handOver.unwritten()
                && !seen.open().isEmpty()
                && !seen.message().paused()
                && toSkip(seen).isEmpty()
                && !delivery.stopping();
    }

    private @Nullable WorkResult write(RangeView seen, Clear clear, boolean last) {
        List<EmailRow> delayed = delayed(seen, clear);
        List<Write> writes = new ArrayList<>(clear.deletes());
        delayed.forEach(row -> writes.add(retries.write(row)));
        LotBounds again = resentAfter(seen);
        UnaryOperator<Range> next = last ? Range::finished : range -> range.claimed(again);
        if (!held.write(range -> next.apply(range.counted(clear.counts())), writes)) {
            return null;
        }
        seen.cleared(clear.rows());
        handOver.clearWritten();
        retries.written(seen, delayed);
        if (!delayed.isEmpty()) {
            held.invalidateView();
        }
        return last ? done() : null;
    }

    /** Returns the delayed rows that still fit the batch, in which they are written in full. */
    private List<EmailRow> delayed(RangeView seen, Clear clear) {
        if (retries.isEmpty()) {
            return List.of();
        }
        int max = context.deliveries().limits().rowsPerClear();
        BatchBudget budget = new BatchBudget(held.key().shard().partition(), max);
        budget.tryAdd(clear.deletes());
        return seen.open().stream()
                .filter(retries::contains)
                .takeWhile(row -> budget.tryAdd(retries.write(row)))
                .toList();
    }

    /** Returns the lot that is to be handed over one last time after this clear. */
    private @Nullable LotBounds resentAfter(RangeView seen) {
        if (handOver.resend() != null) {
            return handOver.resend();
        }
        LotBounds again = held.resent();
        return again == null || seen.openIn(again).isEmpty() ? null : again;
    }

    private WorkResult done() {
        inFlightParts.done(held.key().shard().ref());
        return WorkResult.DONE;
    }

    /** Records recipients who must not be emailed: Skipped, or Unknown if an email may have left for them before. */
    private boolean skip(RangeView seen) {
        LotBounds again = held.resent();
        OutcomeRecorder.Outcomes outcomes = recorder.outcomes();
        for (EmailRow row : toSkip(seen)) {
            boolean doubt = again != null && again.covers(row);
            outcomes.add(row, doubt ? Outcome.UNKNOWN : Outcome.SKIPPED, whyNot(seen, row), null);
        }
        recorder.record(seen, outcomes);
        return !outcomes.isEmpty();
    }

    private static Reason whyNot(RangeView seen, EmailRow row) {
        DepartureReason left = seen.departureReason(row);
        Reason suppressed = seen.suppressionReason(row);
        return left != null ? Reason.of(left) : suppressed.none() ? Reason.of(ReasonCode.CANCELLED) : suppressed;
    }

    private static List<EmailRow> toSkip(RangeView seen) {
        return seen.message().status() == MessageStatus.CANCELLED ? seen.open() : seen.barred();
    }

    private @Nullable WorkResult giveBack(WorkResult result) {
        return held.write(range -> range.released(null, Reason.NONE)) ? result : null;
    }
}

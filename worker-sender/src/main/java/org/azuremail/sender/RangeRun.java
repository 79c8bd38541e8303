package org.azuremail.sender;

import java.time.Duration;
import java.util.Optional;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.StorageException.Reason;
import org.azuremail.work.run.Delivery;
import org.azuremail.work.run.WorkResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order of a range's steps after its claim ({@link HeldRange}), lot by lot. A turn does the first of them that what was read
 * asks for:
 *
 * <ol>
 *   <li>read: {@link RangeAttempt};
 *   <li>decide a lot that lapsed in Handing: {@link LapsedLot};
 *   <li>clear what has an outcome: {@link Clearing}; the last clear of a lot writes Handing of the next one;
 *   <li>skip who is not mailed: {@link Skipping};
 *   <li>prepare the next lot: {@link Preparation}, {@link BadMailSearch};
 *   <li>write Handing and hand the lot over: {@link LotHandOver};
 *   <li>record what the transport said: {@link LotAnswers}, {@link Recording}.
 * </ol>
 *
 * {@link RangeRelease} lets the range go in between. Only what a transport answered is remembered from one turn to the next, and
 * whether it was asked at all: a storage that goes away meanwhile is waited for.
 */
final class RangeRun {

    private static final Logger LOG = LoggerFactory.getLogger(RangeRun.class);
    private static final Duration LEFT_OF_THE_LEASE = Duration.ofSeconds(10);

    private final Delivery delivery;
    private final RangeAttempt attempt;
    private final Recording recording;
    private final LotAnswers answers;
    private final LapsedLot lapsed;
    private final Skipping skipping;
    private final Clearing clearing;
    private final RangeRelease notNow;
    private final Preparation preparation;
    private final LotHandOver handOver;
    private final AttemptNotes notes;
    private final StorageWait patience;
    private boolean storageWasAway;

    RangeRun(SenderParts parts, HeldRange held, String date, Delivery delivery) {
        this.delivery = delivery;
        this.attempt = new RangeAttempt(parts, held, date);
        this.recording = new Recording(parts, attempt, delivery);
        this.answers = new LotAnswers(parts.time(), attempt, recording);
        this.notes = new AttemptNotes(parts.journal(), attempt);
        this.lapsed = new LapsedLot(attempt, recording, parts.journal());
        this.skipping = new Skipping(attempt, recording);
        this.clearing = new Clearing(parts, attempt, answers);
        this.notNow = new RangeRelease(parts, attempt);
        this.preparation =
                new Preparation(parts, attempt, notNow, new BadMailSearch(parts, attempt, recording, notNow));
        this.handOver = new LotHandOver(delivery, attempt, answers, notes);
        this.patience = new StorageWait(parts.time(), delivery);
    }

    /** Works until the range is done, has to wait, or is somebody else's. */
    WorkResult run() {
        try {
            WorkResult result = null;
            while (result == null) {
                result = patientTurn();
            }
            return result;
        } catch (LeaseLost e) {
            LOG.debug("{}", e.getMessage());
            return WorkResult.DONE;
        } finally {
            notes.leave();
            recording.recountWhatChanged();
        }
    }

    /** A turn; when the storage goes away in it, and only this attempt knows what became of its lot, the next one waits. */
    private @Nullable WorkResult patientTurn() {
        try {
            if (storageWasAway) {
                handOver.takeBack();
                storageWasAway = false;
            }
            WorkResult result = turn();
            patience.over();
            return result;
        } catch (StorageException away) {
            boolean stays = handOver.aloneKnows() || (away.reason() == Reason.THROTTLED && holdsAndHandsNothing());
            if (away.reason() == Reason.CORRUPT || lapsed.undecided() || !stays) {
                throw away;
            }
            storageWasAway = true;
            patience.rest(away);
            return null;
        }
    }

    /** Then a storage that asks to wait is waited for: a claim that is left behind holds the range up until its lease ends. */
    private boolean holdsAndHandsNothing() {
        return !attempt.mayBeHanding() && attempt.ownsFor(LEFT_OF_THE_LEASE);
    }

    /** One step; a result ends the run. */
    private @Nullable WorkResult turn() {
        RangeView seen = attempt.seen();
        if (lapsed.undecided()) {
            return decide(seen);
        }
        if (!seen.settled().isEmpty() || answers.unwritten()) {
            return clear(seen);
        }
        if (seen.empty()) {
            return clearing.finish();
        }
        if (skipping.skip(seen)) {
            return null;
        }
        if (seen.message().paused()) {
            return notNow.release(WorkResult.DONE);
        }
        if (delivery.stopping()) {
            return notNow.release(new WorkResult.RetryAfter(Duration.ZERO));
        }
        return mailNextLot(seen);
    }

    /** The clear that ends a lot announces the next one, where that can leave at once. */
    private @Nullable WorkResult clear(RangeView seen) {
        Optional<Clearing.Part> last = goesOn(seen) ? clearing.last(seen) : Optional.empty();
        Optional<Preparation.Ready> next = last.flatMap(ends -> preparation.atOnce(seen));
        if (next.isEmpty()) {
            return clearing.clear(seen);
        }
        handOver.handOver(seen, next.get(), last.orElseThrow());
        return null;
    }

    private boolean goesOn(RangeView seen) {
        return handOver.goesOnFrom(seen)
                && !seen.open().isEmpty()
                && !seen.message().paused()
                && !skipping.wanted(seen)
                && !delivery.stopping();
    }

    /** Not while the message is paused: whoever paused it may still choose what is done with those in doubt. */
    private @Nullable WorkResult decide(RangeView seen) {
        if (seen.message().paused()) {
            return WorkResult.DONE;
        }
        lapsed.decide(seen);
        return null;
    }

    private @Nullable WorkResult mailNextLot(RangeView seen) {
        Preparation.Result prepared = preparation.prepare(seen);
        if (prepared instanceof Preparation.Ready lot) {
            handOver.handOver(seen, lot);
            return null;
        }
        return ((Preparation.NotReady) prepared).result();
    }
}

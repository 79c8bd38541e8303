package org.azuremail.delivery;

import java.time.Instant;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/** What may change in a range, one by one; everything else is copied. */
final class RangeChanges {

    private final Range old;
    private RangeState state;
    private String nonce;
    private long epoch;
    private @Nullable Instant leaseEnd;
    private @Nullable LotBounds lot;
    private String lotId;
    private int tries;
    private int lotLimit;
    private @Nullable Instant notBefore;
    private Instant queuedAt;
    private OutcomeCounts counts;
    private Reason note;
    private int restored;

    RangeChanges(Range old) {
        this.old = old;
        state = old.state();
        nonce = old.nonce();
        epoch = old.epoch();
        leaseEnd = old.leaseEnd();
        lot = old.lot();
        lotId = old.lotId();
        tries = old.tries();
        lotLimit = old.lotLimit();
        notBefore = old.notBefore();
        queuedAt = old.queuedAt();
        counts = old.counts();
        note = old.note();
        restored = old.restored();
    }

    RangeChanges state(RangeState next) {
        if (next != old.state() && !old.state().mayBecome(next)) {
            throw new IllegalStateException("a range cannot go from " + old.state() + " to " + next);
        }
        state = next;
        return this;
    }

    RangeChanges heldBy(String attempt, long inEpoch, @Nullable Instant until) {
        nonce = attempt;
        epoch = inEpoch;
        leaseEnd = until;
        return this;
    }

    RangeChanges lot(@Nullable LotBounds value) {
        return lot(value, "");
    }

    RangeChanges lot(@Nullable LotBounds value, String id) {
        lot = value;
        lotId = id;
        return this;
    }

    RangeChanges failing(int throwsSoFar, int mostOfALot) {
        tries = throwsSoFar;
        lotLimit = mostOfALot;
        return this;
    }

    RangeChanges waiting(@Nullable Instant until, Reason why) {
        notBefore = until;
        note = why;
        return this;
    }

    RangeChanges queuedAt(Instant value) {
        queuedAt = value;
        return this;
    }

    RangeChanges counts(OutcomeCounts value) {
        counts = value;
        return this;
    }

    RangeChanges restored(int inEpoch) {
        restored = inEpoch;
        return this;
    }

    Range done() {
        return new Range(
                old.key(),
                old.from(),
                old.to(),
                old.recipients(),
                old.generation(),
                state,
                nonce,
                epoch,
                leaseEnd,
                lot,
                lotId,
                tries,
                lotLimit,
                notBefore,
                queuedAt,
                counts,
                note,
                restored);
    }
}

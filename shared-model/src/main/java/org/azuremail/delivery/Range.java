package org.azuremail.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import org.azuremail.message.Message;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * The control row R of a range: who works on it, which lot is in the air, and how many recipients ended how. Every write
 * of it carries the ETag of what was read.
 *
 * @param from row key of its first recipient; stored, never computed again
 * @param to row key of its last recipient, inclusive
 * @param recipients how many it was made for
 * @param generation of the e-mail rows that it covers
 * @param nonce names the attempt (not the process) that holds it
 * @param epoch raised by each claim
 * @param leaseEnd until when the holder may be left alone
 * @param lot in Handing: what is being handed over; otherwise only a lot that is to be handed over once more
 * @param lotId names in Handing this one hand-over in the journal of whoever began it; empty where there is none
 * @param tries throws before a hand-over since the last success
 * @param lotLimit most mails of a lot while a bad mail is being looked for; 0 for no limit
 * @param notBefore when it may be claimed again, if it has to wait
 * @param queuedAt when a work item was last sent for it
 * @param note why it waits or is in doubt; none otherwise
 * @param restored epoch of the last restore of the storage that was reckoned with, or with which it was made
 */
public record Range(
        RangeKey key,
        String from,
        String to,
        int recipients,
        int generation,
        RangeState state,
        String nonce,
        long epoch,
        @Nullable Instant leaseEnd,
        @Nullable LotBounds lot,
        String lotId,
        int tries,
        int lotLimit,
        @Nullable Instant notBefore,
        Instant queuedAt,
        OutcomeCounts counts,
        Reason note,
        int restored) {

    /** A new range of a message, about to be queued. One that may have been mailed before a restore begins in doubt. */
    public static Range of(Message message, RangeKey key, String from, String to, int recipients, Instant queuedAt) {
        Range open = open(key, from, to, recipients, message.generation(), queuedAt);
        int epoch = message.restored().epoch();
        return message.restored().inDoubt() ? open.lapsed(epoch) : open.change(c -> c.restored(epoch));
    }

    private static Range open(RangeKey key, String from, String to, int recipients, int generation, Instant queuedAt) {
        return new Range(
                key,
                from,
                to,
                recipients,
                generation,
                RangeState.OPEN,
                "",
                0,
                null,
                null,
                "",
                0,
                0,
                null,
                queuedAt,
                OutcomeCounts.NONE,
                Reason.NONE,
                0);
    }

    public boolean covers(String rowKey) {
        return from.compareTo(rowKey) <= 0 && rowKey.compareTo(to) <= 0;
    }

    public boolean done() {
        return state == RangeState.DONE;
    }

    /** Whether somebody else may still work on it, seen from a clock that is off by at most the skew. */
    public boolean heldAt(Instant now, Duration skew) {
        return (state == RangeState.CLAIMED || state == RangeState.HANDING)
                && leaseEnd != null
                && now.isBefore(leaseEnd.plus(skew));
    }

    /** Whether it has to wait. */
    public boolean waitsAt(Instant now) {
        return notBefore != null && notBefore.isAfter(now);
    }

    /** Whether a lot that was handed over lapsed and is in doubt. */
    public boolean inDoubt() {
        return state == RangeState.HANDING;
    }

    /** Whom a sender had in the air, or is to hand over once more. A restore does not tell who was: there, none. */
    public @Nullable LotBounds lotOnItsWay() {
        return note.is(ReasonCode.STORAGE_RESTORED) ? null : lot;
    }

    public Range held(String by, Instant until) {
        RangeState next = inDoubt() ? RangeState.HANDING : RangeState.CLAIMED;
        return change(c -> c.state(next).heldBy(by, epoch + 1, until).waiting(null, inDoubt() ? note : Reason.NONE));
    }

    /** @param id the hand-over's name in the holder's journal, or empty */
    public Range handing(LotBounds bounds, String id) {
        return change(c -> c.state(RangeState.HANDING).lot(bounds, id).waiting(null, Reason.NONE));
    }

    public Range claimed(@Nullable LotBounds again) {
        return change(c -> c.state(RangeState.CLAIMED).lot(again).waiting(null, Reason.NONE));
    }

    public Range renewed(Instant until) {
        return change(c -> c.heldBy(nonce, epoch, until));
    }

    public Range released(@Nullable Instant until, Reason why) {
        LotBounds again = lot != null && lot.resent() ? lot : null;
        return change(
                c -> c.state(RangeState.OPEN).heldBy("", epoch, null).lot(again).waiting(until, why));
    }

    public Range finished() {
        return change(c -> c.state(RangeState.DONE)
                .heldBy("", epoch, null)
                .lot(null)
                .failing(0, 0)
                .waiting(null, Reason.NONE));
    }

    public Range failing(int newTries, int newLotLimit) {
        return change(c -> c.failing(newTries, newLotLimit));
    }

    /**
     * As if all of it had been handed over by somebody who is gone: what the storage was restored from does not tell who
     * was mailed since. Who was in doubt before is so for the second time then, and the whole range with them.
     */
    Range lapsed(int restoreEpoch) {
        LotBounds all = new LotBounds(from, to, lot != null && lot.resent());
        return change(c -> c.state(RangeState.HANDING)
                .heldBy("", epoch + 1, null)
                .lot(all)
                .failing(0, 0)
                .waiting(null, Reason.of(ReasonCode.STORAGE_RESTORED))
                .restored(restoreEpoch));
    }

    public Range counted(OutcomeCounts newCounts) {
        return change(c -> c.counts(newCounts));
    }

    /** It need not wait any longer, and is queued. */
    Range due(Instant at) {
        return change(c -> c.waiting(null, Reason.NONE).queuedAt(at));
    }

    public Range queued(Instant at) {
        return change(c -> c.queuedAt(at));
    }

    /** Queued to be ended: where nobody holds it, it waits for no transport any more. */
    Range queuedAtOnce(Instant at) {
        return state == RangeState.OPEN ? due(at) : queued(at);
    }

    private Range change(UnaryOperator<RangeChanges> changes) {
        return changes.apply(new RangeChanges(this)).done();
    }

    static Range from(RangeKey key, Values v) {
        String lotFrom = v.string("LotFrom");
        return new Range(
                key,
                v.requireString("From"),
                v.requireString("To"),
                v.integer("Recipients", 0),
                v.integer("Generation", 0),
                RangeState.valueOf(v.requireString("State")),
                v.string("Nonce", ""),
                v.number("Epoch", 0),
                v.instant("LeaseEnd"),
                lotFrom == null ? null : new LotBounds(lotFrom, v.requireString("LotTo"), v.bool("Resent", false)),
                v.string("LotId", ""),
                v.integer("Tries", 0),
                v.integer("LotLimit", 0),
                v.instant("NotBefore"),
                v.requireInstant("QueuedAt"),
                OutcomeCounts.from(v),
                Reason.read(v.string("Note")),
                v.integer("Restored", 0));
    }

    Values toValues() {
        Values.Builder v = Values.builder()
                .put("From", from)
                .put("To", to)
                .put("Recipients", recipients)
                .put("Generation", generation)
                .put("State", state.name())
                .put("Nonce", nonce)
                .put("Epoch", epoch)
                .put("LeaseEnd", leaseEnd)
                .put("Tries", tries)
                .put("LotLimit", lotLimit)
                .put("NotBefore", notBefore)
                .put("QueuedAt", queuedAt)
                .put("Note", note.stored())
                .put("Restored", restored);
        if (lot != null) {
            v.put("LotFrom", lot.from()).put("LotTo", lot.to()).put("Resent", lot.resent());
        }
        v.put("LotId", lotId.isEmpty() ? null : lotId);
        counts.into(v);
        return v.build();
    }
}

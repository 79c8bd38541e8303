package org.azuremail.delivery.range;

import java.time.Duration;
import java.time.Instant;
import org.azuremail.list.ListName;
import org.azuremail.message.Message;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * The control row R of a range: its recipients, its holder, the lot in flight, and the number of recipients by
 * outcome. Every write carries the ETag of the last read.
 *
 * @param span the recipients; never changes
 * @param lot in Handing, the lot that is being handed over; otherwise only a lot that is to be handed over one last
 *     time
 * @param queuedAt when a work item was last sent for it
 * @param restoreEpoch epoch of the last restore that was processed, or during which the range was created
 */
public record Range(
        RangeKey key,
        Span span,
        RangeState state,
        Claim claim,
        @Nullable LotBounds lot,
        Search search,
        Delay delay,
        OutcomeCounts counts,
        Instant queuedAt,
        int restoreEpoch) {

    /**
     * The recipients that a range covers. It is saved once and never computed again.
     *
     * @param from row key of the first recipient
     * @param to row key of the last recipient, inclusive
     * @param recipients their number when the range was created
     * @param generation of the email rows that it covers
     */
    public record Span(String from, String to, int recipients, int generation) {

        public boolean covers(String rowKey) {
            return from.compareTo(rowKey) <= 0 && rowKey.compareTo(to) <= 0;
        }
    }

    /**
     * The attempt that works on a range.
     *
     * @param nonce names the attempt (not the process) that holds it; empty when none does
     * @param epoch raised by each claim, only as information for a person who reads the row. No decision depends on
     *     it, because each attempt has a unique nonce and each write carries an ETag
     * @param leaseEnd until when other attempts leave the range to its holder
     */
    public record Claim(String nonce, long epoch, @Nullable Instant leaseEnd) {

        public static final Claim NONE = new Claim("", 0, null);

        Claim takenBy(String attempt, Instant until) {
            return new Claim(attempt, epoch + 1, until);
        }

        Claim renewed(Instant until) {
            return new Claim(nonce, epoch, until);
        }

        Claim ended() {
            return new Claim("", epoch, null);
        }
    }

    /**
     * The search for an email that cannot be prepared.
     *
     * @param tries exceptions before a hand-over since the last success
     * @param lotLimit the largest number of emails in a lot during the search; 0 for no limit
     */
    public record Search(int tries, int lotLimit) {

        public static final Search NONE = new Search(0, 0);
    }

    /**
     * The reason why a range waits or is in doubt.
     *
     * @param notBefore when it may be claimed again, if it has to wait
     */
    public record Delay(@Nullable Instant notBefore, Reason reason) {

        public static final Delay NONE = new Delay(null, Reason.NONE);
    }

    /**
     * Returns a new range that is about to be queued. If it may have been emailed before a restore, it begins in doubt.
     */
    public static Range of(Message message, RangeKey key, Span span, Instant queuedAt) {
        int epoch = message.state().restored().epoch();
        Range open = new Range(
                key,
                span,
                RangeState.OPEN,
                Claim.NONE,
                null,
                Search.NONE,
                Delay.NONE,
                OutcomeCounts.NONE,
                queuedAt,
                epoch);
        return message.state().restored().inDoubt() ? open.lapsed(epoch) : open;
    }

    public boolean covers(String rowKey) {
        return span.covers(rowKey);
    }

    public boolean done() {
        return state == RangeState.DONE;
    }

    /** Returns whether its holder may still work on it, by a clock that is off by at most the skew. */
    public boolean heldAt(Instant now, Duration skew) {
        return (state == RangeState.CLAIMED || state == RangeState.HANDING)
                && claim.leaseEnd() != null
                && now.isBefore(claim.leaseEnd().plus(skew));
    }

    public boolean waitsAt(Instant now) {
        return delay.notBefore() != null && delay.notBefore().isAfter(now);
    }

    /** Returns whether a lot that was handed over lapsed and is in doubt. */
    public boolean inDoubt() {
        return state == RangeState.HANDING;
    }

    /**
     * Returns the lot that a sender had in flight or is to hand over one last time; none after a restore, which makes
     * its recipients unknown.
     */
    public @Nullable LotBounds lotInFlight() {
        return delay.reason().is(ReasonCode.STORAGE_RESTORED) ? null : lot;
    }

    /** Returns the lot that is to be handed over one last time; {@code null} if there is none. */
    public @Nullable LotBounds resent() {
        return lot != null && lot.resent() ? lot : null;
    }

    /** Returns a copy that an attempt has claimed. A lapsed lot stays in doubt and keeps its note. */
    public Range held(String by, Instant until) {
        return inDoubt()
                ? become(RangeState.HANDING, claim.takenBy(by, until), lot, search, new Delay(null, delay.reason()))
                : become(RangeState.CLAIMED, claim.takenBy(by, until), lot, search, Delay.NONE);
    }

    public Range handing(LotBounds bounds) {
        return become(RangeState.HANDING, claim, bounds, search, Delay.NONE);
    }

    public Range claimed(@Nullable LotBounds lotToResend) {
        return become(RangeState.CLAIMED, claim, unnamed(lotToResend), search, Delay.NONE);
    }

    public Range renewed(Instant until) {
        return become(state, claim.renewed(until), lot, search, delay);
    }

    public Range released(@Nullable Instant until, Reason why) {
        return become(RangeState.OPEN, claim.ended(), unnamed(resent()), search, new Delay(until, why));
    }

    public Range finished() {
        return become(RangeState.DONE, claim.ended(), null, Search.NONE, Delay.NONE);
    }

    public Range searching(Search next) {
        return become(state, claim, lot, next, delay);
    }

    /**
     * Returns a copy as if a dead process had handed the whole range over, because a restored storage does not say who
     * was emailed since the backup. A recipient who was in doubt before is then in doubt for the second time, and so is
     * the whole range.
     */
    public Range lapsed(int restoreEpoch) {
        Claim nobody = new Claim("", claim.epoch() + 1, null);
        LotBounds all = new LotBounds(span.from(), span.to(), null, resent() != null, "");
        Delay doubt = new Delay(null, Reason.of(ReasonCode.STORAGE_RESTORED));
        Range lapsed = become(RangeState.HANDING, nobody, all, Search.NONE, doubt);
        return lapsed.withBookkeeping(counts, queuedAt, restoreEpoch);
    }

    public Range counted(OutcomeCounts newCounts) {
        return withBookkeeping(newCounts, queuedAt, restoreEpoch);
    }

    public Range queued(Instant at) {
        return withBookkeeping(counts, at, restoreEpoch);
    }

    /** Returns a copy that no longer waits and is queued. */
    Range due(Instant at) {
        return become(state, claim, lot, search, Delay.NONE).queued(at);
    }

    /** Returns a copy that is queued to be ended; a range without a holder no longer waits for a transport. */
    public Range queuedAtOnce(Instant at) {
        return state == RangeState.OPEN ? due(at) : queued(at);
    }

    /** Returns the lot without its id, because a lot has an entry in a journal only in Handing. */
    private static @Nullable LotBounds unnamed(@Nullable LotBounds lot) {
        return lot == null ? null : lot.named("");
    }

    private Range become(RangeState next, Claim by, @Nullable LotBounds nextLot, Search nextSearch, Delay nextDelay) {
        if (next != state && !state.mayBecome(next)) {
            throw new IllegalStateException("a range cannot go from " + state + " to " + next);
        }
        return new Range(key, span, next, by, nextLot, nextSearch, nextDelay, counts, queuedAt, restoreEpoch);
    }

    private Range withBookkeeping(OutcomeCounts newCounts, Instant at, int restoreEpoch) {
        return new Range(key, span, state, claim, lot, search, delay, newCounts, at, restoreEpoch);
    }

    static Range from(RangeKey key, Values v) {
        String lotFrom = v.string("LotFrom");
        String lotList = v.string("LotList");
        return new Range(
                key,
                new Span(
                        v.requireString("From"),
                        v.requireString("To"),
                        v.integer("Recipients", 0),
                        v.integer("Generation", 0)),
                RangeState.valueOf(v.requireString("State")),
                new Claim(v.string("Nonce", ""), v.number("Epoch", 0), v.instant("LeaseEnd")),
                lotFrom == null
                        ? null
                        : new LotBounds(
                                lotFrom,
                                v.requireString("LotTo"),
                                lotList == null ? null : new ListName(lotList),
                                v.bool("Resent", false),
                                v.string("LotId", "")),
                new Search(v.integer("Tries", 0), v.integer("LotLimit", 0)),
                new Delay(v.instant("NotBefore"), Reason.read(v.string("Note"))),
                OutcomeCounts.from(v),
                v.requireInstant("QueuedAt"),
                v.integer("Restored", 0));
    }

    public Values toValues() {
        Values.Builder v = Values.builder()
                .put("From", span.from())
                .put("To", span.to())
                .put("Recipients", span.recipients())
                .put("Generation", span.generation())
                .put("State", state.name())
                .put("Nonce", claim.nonce())
                .put("Epoch", claim.epoch())
                .put("LeaseEnd", claim.leaseEnd())
                .put("Tries", search.tries())
                .put("LotLimit", search.lotLimit())
                .put("NotBefore", delay.notBefore())
                .put("QueuedAt", queuedAt)
                .put("Note", delay.reason().stored())
                .put("Restored", restoreEpoch);
        if (lot != null) {
            v.put("LotFrom", lot.from()).put("LotTo", lot.to()).put("Resent", lot.resent());
            v.put("LotList", lot.list() == null ? null : lot.list().value());
            v.put("LotId", lot.id().isEmpty() ? null : lot.id());
        }
        counts.into(v);
        return v.build();
    }
}

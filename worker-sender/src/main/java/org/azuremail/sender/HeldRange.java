package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.LotBounds;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.RangeState;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * A range that one attempt holds, and its rows as they were read under the claim. Every write carries the ETag of the
 * last read. After a refusal or a lost answer, R is read again, and its nonce tells whether this attempt still holds
 * it. If so, the rows are read again too, because every write must follow from what was read.
 */
final class HeldRange {

    private static final Duration RENEW_BELOW = Duration.ofSeconds(15);

    private final SenderContext context;
    private final DeliveryStore store;
    private final Time time;
    private final String date;
    private final String nonce;
    private Versioned<Range> held;
    private Lease lease;

    /** Whether the answer to a write was lost and R has not been read again since. */
    private boolean writeUncertain;

    /** The rows as they were read; null after each refused write. */
    private @Nullable RangeView view;

    /** The state of the search for a bad email that the next write of R stores. */
    private Range.Search search;

    private HeldRange(SenderContext context, String date, String nonce, Versioned<Range> held, Lease lease) {
        this.context = context;
        this.store = context.deliveries();
        this.time = context.time();
        this.date = date;
        this.nonce = nonce;
        this.held = held;
        this.lease = lease;
        this.search = held.value().search();
    }

    /** Thrown when another attempt holds the range and does the rest. */
    static final class LeaseLost extends RuntimeException {

        LeaseLost(String range) {
            super("range " + range + " is held by another attempt", null, false, false);
        }
    }

    /** The end of a lease by both clocks, read before the write that sets it. */
    private record Lease(Instant end, Duration endElapsed) {

        /**
         * Reads the monotonic clock first: time that passes between the two readings must not make this process
         * overestimate its lease.
         */
        static Lease from(Time time, Duration length) {
            Duration endElapsed = time.elapsed().plus(length);
            return new Lease(time.instant().plus(length), endElapsed);
        }
    }

    /**
     * Claims a range with the ETag that was read.
     *
     * @param date partition of its message
     * @return empty when another attempt was faster
     */
    static Optional<HeldRange> claim(SenderContext context, Versioned<Range> read, String date) {
        DeliveryStore store = context.deliveries();
        String nonce = context.holders().next();
        Lease lease = Lease.from(context.time(), store.limits().lease());
        Range claimed = read.value().held(nonce, lease.end);
        WriteResult result = write(store, read, claimed, List.of());
        if (result instanceof WriteResult.Written written) {
            Versioned<Range> held = new Versioned<>(claimed, written.etag());
            return Optional.of(new HeldRange(context, date, nonce, held, lease));
        }
        return store.range(read.value().key())
                .filter(now -> now.value().claim().nonce().equals(nonce))
                .map(now -> new HeldRange(context, date, nonce, now, lease));
    }

    Range range() {
        return held.value();
    }

    RangeKey key() {
        return range().key();
    }

    String date() {
        return date;
    }

    String nonce() {
        return nonce;
    }

    boolean handing() {
        return range().state() == RangeState.HANDING;
    }

    /** Returns whether R may be in Handing, as far as this attempt knows. */
    boolean mayBeHanding() {
        return writeUncertain || handing();
    }

    /** Returns the lot that is to be handed over one last time; {@code null} if there is none. */
    @Nullable
    LotBounds resent() {
        return range().resent();
    }

    Range.Search search() {
        return search;
    }

    void searching(Range.Search next) {
        search = next;
    }

    /** Returns the rows as they were read under the claim, and reads them again first if they may have changed. */
    RangeView view() {
        RangeView seen = view;
        if (seen == null) {
            seen = RangeView.read(context, range(), date);
            if (!seen.sentBefore().isEmpty()) {
                context.archive().record(key().shard(), seen.sentBefore());
            }
            view = seen;
        }
        return seen;
    }

    /** Makes the next step read the rows again. */
    void invalidateView() {
        view = null;
    }

    /**
     * Writes R alone.
     *
     * @return whether R was written; if not, everything is read again
     * @throws LeaseLost when another attempt holds R
     */
    boolean write(UnaryOperator<Range> change) {
        return write(change, List.of());
    }

    /**
     * Writes R and email rows in one batch.
     *
     * @return true when the batch is durable; false when it was refused or its answer was lost. In that case R was
     *     read again and is still held by this attempt, and everything that was read with the old R is read again
     * @throws LeaseLost when another attempt holds R
     * @throws StorageException when R cannot be read again, so that it is not known whether the write happened
     */
    boolean write(UnaryOperator<Range> change, List<Write> emailRows) {
        Lease next = Lease.from(time, store.limits().lease());
        Range changed = change.apply(range().searching(search));
        boolean renews = changed.claim().leaseEnd() != null;
        if (renews) {
            changed = changed.renewed(next.end);
        }
        WriteResult result = write(store, held, changed, emailRows);
        if (result instanceof WriteResult.Written written) {
            held = new Versioned<>(changed, written.etags().get(emailRows.size()));
            lease = renews ? next : lease;
            return true;
        }
        writeUncertain = true;
        readRange();
        invalidateView();
        return false;
    }

    /** Reads everything again, because it is not known whether the last write happened. */
    void readAgain() {
        invalidateView();
        readRange();
    }

    private void readRange() {
        held = store.range(key())
                .filter(now -> now.value().claim().nonce().equals(nonce))
                .orElseThrow(() -> new LeaseLost(key().toString()));
        writeUncertain = false;
    }

    /**
     * Renews the lease before it gets short. The renewal itself may take longer than the lease lasts.
     *
     * @return whether the lease lasts
     * @throws LeaseLost when another attempt holds R
     */
    boolean renewed() {
        return ownsFor(RENEW_BELOW) || (write(UnaryOperator.identity()) && ownsFor(Duration.ZERO));
    }

    /** Returns whether the lease lasts this much longer, by the later of both clocks and less a margin. */
    boolean ownsFor(Duration needed) {
        Duration margin = store.limits().ownMargin().plus(needed);
        return time.instant().isBefore(lease.end.minus(margin))
                && time.elapsed().compareTo(lease.endElapsed.minus(margin)) < 0;
    }

    /** A lost answer counts as a refusal: in both cases R is read again. */
    private static @Nullable WriteResult write(
            DeliveryStore store, Versioned<Range> old, Range next, List<Write> emailRows) {
        try {
            return store.change(old, next, emailRows);
        } catch (StorageException lost) {
            return null;
        }
    }
}

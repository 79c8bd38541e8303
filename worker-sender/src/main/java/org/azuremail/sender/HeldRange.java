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
import org.azuremail.storage.ConditionalWrites;
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
     * Claims a range with the ETag that was read. A lost answer counts as a refusal, here and in {@link #write}: R is
     * read again, and its nonce decides.
     *
     * @param date partition of its message
     * @return empty when another attempt was faster
     */
    static Optional<HeldRange> claim(SenderContext context, Versioned<Range> read, String date) {
        DeliveryStore store = context.deliveries();
        String nonce = context.holders().next();
        Lease lease = Lease.from(context.time(), store.limits().lease());
        Range claimed = read.value().held(nonce, lease.end);
        return ConditionalWrites.attempt(() -> store.change(read, claimed, List.of()))
                .map(written -> new Versioned<>(claimed, written.etag()))
                .or(() -> store.range(claimed.key())
                        .filter(now -> now.value().claim().nonce().equals(nonce)))
                .map(held -> new HeldRange(context, date, nonce, held, lease));
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

    /** Returns the lot that is to be handed over one last time. */
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

    void invalidateView() {
        view = null;
    }

    /** Writes R alone, as {@link #write(UnaryOperator, List)} does. */
    boolean write(UnaryOperator<Range> change) {
        return write(change, List.of());
    }

    /**
     * Writes R and email rows in one batch, and renews the lease unless the change releases R.
     *
     * @return true when the batch is durable; false when it was refused or its answer was lost. In that case R was
     *     read again and is still held by this attempt, and everything that was read with the old R is read again
     * @throws LeaseLost when another attempt holds R
     * @throws StorageException when R cannot be read again, so that it is not known whether the write happened
     */
    boolean write(UnaryOperator<Range> change, List<Write> emailRows) {
        Lease next = Lease.from(time, store.limits().lease());
        Range wanted = change.apply(range().searching(search));
        boolean renews = wanted.claim().leaseEnd() != null;
        Range changed = renews ? wanted.renewed(next.end) : wanted;
        Optional<WriteResult.Written> written = ConditionalWrites.attempt(() -> store.change(held, changed, emailRows));
        if (written.isPresent()) {
            held = new Versioned<>(changed, written.get().etags().get(emailRows.size()));
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
}

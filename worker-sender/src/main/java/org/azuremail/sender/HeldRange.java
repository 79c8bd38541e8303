package org.azuremail.sender;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.azuremail.delivery.DeliveryStore;
import org.azuremail.delivery.Range;
import org.azuremail.delivery.RangeKey;
import org.azuremail.delivery.RangeState;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/**
 * Claim: a range that this attempt holds. Every write carries the ETag of what was read last; after a refusal or a lost
 * answer R is read again, and its nonce tells whether it is still ours.
 */
final class HeldRange {

    private final DeliveryStore store;
    private final Time time;
    private final String nonce;
    private Versioned<Range> held;
    private Instant leaseEnd;
    private Duration leaseEndElapsed;

    /** Whether a write was not answered and R could not be read again since. */
    private boolean unsure;

    private HeldRange(DeliveryStore store, Time time, String nonce, Versioned<Range> held, Lease lease) {
        this.store = store;
        this.time = time;
        this.nonce = nonce;
        this.held = held;
        this.leaseEnd = lease.end;
        this.leaseEndElapsed = lease.endElapsed;
    }

    /** The end of a lease by both clocks, read before the write that sets it. */
    private record Lease(Instant end, Duration endElapsed) {}

    /**
     * Claims a range with the ETag that was read.
     *
     * @return empty when somebody else was faster
     */
    static Optional<HeldRange> claim(DeliveryStore store, Time time, String nonce, Versioned<Range> read) {
        Lease lease = lease(store, time);
        Range claimed = read.value().held(nonce, lease.end);
        WriteResult result = write(store, read, claimed, List.of());
        if (result instanceof WriteResult.Written written) {
            Versioned<Range> held = new Versioned<>(claimed, written.etag());
            return Optional.of(new HeldRange(store, time, nonce, held, lease));
        }
        return store.range(read.value().key())
                .filter(now -> now.value().nonce().equals(nonce))
                .map(now -> new HeldRange(store, time, nonce, now, lease));
    }

    Range range() {
        return held.value();
    }

    RangeKey key() {
        return held.value().key();
    }

    boolean handing() {
        return range().state() == RangeState.HANDING;
    }

    /** Whether R may stand in Handing, as far as this attempt knows. */
    boolean mayBeHanding() {
        return unsure || handing();
    }

    /**
     * Writes R and e-mail rows in one batch.
     *
     * @return true when it is durable; false when it was refused or nobody knows: R was read again, is still ours, and
     *     everything that was read with the old R has to be read again
     * @throws LeaseLost when R is not ours any more
     * @throws StorageException when R cannot be read again: nobody knows whether it is written
     */
    boolean write(UnaryOperator<Range> change, List<Write> emailRows) {
        Lease lease = lease(store, time);
        Range next = change.apply(range());
        boolean renews = next.leaseEnd() != null;
        if (renews) {
            next = next.renewed(lease.end);
        }
        WriteResult result = write(store, held, next, emailRows);
        if (result instanceof WriteResult.Written written) {
            held = new Versioned<>(next, written.etags().get(emailRows.size()));
            if (renews) {
                leaseEnd = lease.end;
                leaseEndElapsed = lease.endElapsed;
            }
            return true;
        }
        unsure = true;
        readAgain();
        return false;
    }

    /** Whether the lease is good for so long still: by the later of both clocks, a margin early. */
    boolean ownsFor(Duration needed) {
        Duration margin = store.limits().ownMargin().plus(needed);
        return time.instant().isBefore(leaseEnd.minus(margin))
                && time.elapsed().compareTo(leaseEndElapsed.minus(margin)) < 0;
    }

    /** Reads R, because nobody knows what became of the last write. */
    void readAgain() {
        held = store.range(key())
                .filter(now -> now.value().nonce().equals(nonce))
                .orElseThrow(() -> new LeaseLost(key().toString()));
        unsure = false;
    }

    /** The monotonic clock first: what passes until the other is read must not lengthen what this process takes for its own. */
    private static Lease lease(DeliveryStore store, Time time) {
        Duration length = store.limits().lease();
        Duration endElapsed = time.elapsed().plus(length);
        return new Lease(time.instant().plus(length), endElapsed);
    }

    /** A write whose answer is lost counts as refused: both are settled by reading again. */
    private static @Nullable WriteResult write(
            DeliveryStore store, Versioned<Range> old, Range next, List<Write> emailRows) {
        try {
            return store.change(old, next, emailRows);
        } catch (StorageException lost) {
            return null;
        }
    }
}

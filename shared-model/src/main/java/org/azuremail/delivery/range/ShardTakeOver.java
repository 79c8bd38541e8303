package org.azuremail.delivery.range;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.message.Message;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;

/** Takes the control row S of a shard, fencing off its former holder. */
public record ShardTakeOver(DeliveryStore store, IdSource ids, Time time) {

    public sealed interface TakeResult {
        /** The caller holds the shard until another process takes it over. */
        record Ours(Versioned<ShardControl> shard) implements TakeResult {}

        /** All subscribers of the shard have been read already. */
        record Walked() implements TakeResult {}

        /** Another process walks the shard, at least until this time. */
        record Busy(Instant until) implements TakeResult {}
    }

    /** Takes a shard without a valid lease. */
    public TakeResult take(ShardKey key) {
        return take(key, false);
    }

    /**
     * Ends the walk of a shard at once, whatever its holder does. S is taken over and set to walked, in a batch that
     * also creates the range that is still open.
     */
    public void end(ShardKey key, Message message) {
        ConditionalWrites.retryUntilDone("shard " + key, () -> {
            TakeResult taken = take(key, true);
            return taken instanceof TakeResult.Walked
                    || (taken instanceof TakeResult.Ours ours && setWalked(key, ours.shard(), message));
        });
    }

    private boolean setWalked(ShardKey key, Versioned<ShardControl> shard, Message message) {
        ShardControl walked = shard.value().asWalked();
        boolean open = walked.open().count() > 0;
        List<Range> closed = open ? List.of(closeOpen(key, walked, message)) : List.of();
        return store.fanOut(key, shard, open ? walked.closed() : walked, List.of(), closed)
                .written();
    }

    /**
     * Ends a reopening's part in a shard, so that another process that works on it, or was suspended, can no longer add
     * recipients.
     */
    public void endReopening(ShardKey key, int generation) {
        ConditionalWrites.retryUntilDone("shard " + key, () -> {
            Optional<Versioned<ShardControl>> shard =
                    store.shard(key).filter(existing -> existing.value().reopened() < generation);
            shard.ifPresent(existing ->
                    store.replaceShard(key, existing, existing.value().reopenedIn(generation)));
            return shard.isEmpty();
        });
    }

    /** Turns the open range into a range. */
    public Range closeOpen(ShardKey key, ShardControl shard, Message message) {
        Range.Span span = new Range.Span(
                shard.open().from(), shard.open().to(), shard.open().count(), message.generation());
        return Range.of(message, new RangeKey(key, shard.open().number()), span, time.instant());
    }

    /** Takes the shard. Costs one call for a shard that has not been walked yet. */
    private TakeResult take(ShardKey key, boolean byForce) {
        String nonce = ids.token();
        Instant now = time.instant();
        Instant until = now.plus(store.limits().lease());
        ShardControl first = ShardControl.first(nonce, until);
        Optional<WriteResult.Written> written = ConditionalWrites.attempt(() -> store.insertShard(key, first));
        if (written.isPresent()) {
            return new TakeResult.Ours(new Versioned<>(first, written.get().etag()));
        }
        Optional<Versioned<ShardControl>> existing = store.shard(key);
        if (existing.isPresent()) {
            ShardControl shard = existing.get().value();
            if (shard.walked()) {
                return new TakeResult.Walked();
            }
            if (shard.holder().nonce().equals(nonce)) {
                return new TakeResult.Ours(existing.get());
            }
            Instant othersEnd = shard.holder().leaseEnd().plus(store.limits().skew());
            if (!byForce && now.isBefore(othersEnd) && !heldByWrongClock(othersEnd, now)) {
                return new TakeResult.Busy(othersEnd);
            }
            store.replaceShard(key, existing.get(), shard.takenOver(nonce, until));
        }
        return holder(key, nonce);
    }

    /**
     * Returns whether the lease is longer than any that a correct clock grants, so that the holder's clock must have
     * been corrected since. The take-over fences the holder off.
     */
    private boolean heldByWrongClock(Instant end, Instant now) {
        Duration longest = store.limits().lease().plus(store.limits().skew().multipliedBy(2));
        return end.isAfter(now.plus(longest));
    }

    /** Reads S again to distinguish a lost answer from a lost race. */
    private TakeResult holder(ShardKey key, String nonce) {
        Versioned<ShardControl> now = store.shard(key)
                .orElseThrow(() -> new StorageException(
                        StorageException.Reason.UNAVAILABLE, "shard " + key + " cannot be taken", null));
        if (now.value().holder().nonce().equals(nonce)) {
            return new TakeResult.Ours(now);
        }
        return now.value().walked()
                ? new TakeResult.Walked()
                : new TakeResult.Busy(
                        now.value().holder().leaseEnd().plus(store.limits().skew()));
    }
}

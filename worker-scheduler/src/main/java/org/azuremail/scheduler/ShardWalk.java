package org.azuremail.scheduler;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.ShardControl;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.list.ListName;
import org.azuremail.message.Message;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.suppression.Suppressions;

/**
 * One attempt's walk of one shard. Each batch is one atomic write of email rows, checkpoint, count and fence, and of a
 * range if the batch closes one. If another process has taken the shard over, the write fails and this walk ends.
 */
final class ShardWalk {

    private final FanOut fanOut;
    private final Message message;
    private final Map<ListName, SendingList> senders;
    private final FormerAddresses former;
    private final Suppressions.SuppressionLookup suppressed;
    private final ShardKey key;
    private final boolean again;
    private Versioned<ShardControl> shard;
    private final List<Write> batch = new ArrayList<>();
    private BatchBudget budget;
    private String cursor;
    private boolean lost;

    ShardWalk(
            FanOut fanOut,
            Message message,
            Map<ListName, SendingList> senders,
            FormerAddresses former,
            Suppressions.SuppressionLookup suppressed,
            ShardKey key,
            Versioned<ShardControl> shard,
            boolean again) {
        this.fanOut = fanOut;
        this.message = message;
        this.senders = senders;
        this.former = former;
        this.suppressed = suppressed;
        this.key = key;
        this.shard = shard;
        this.cursor = shard.value().checkpoint();
        this.again = again || shard.value().holder().epoch() > 1;
        this.budget = room();
    }

    /** Returns the row key of the last subscriber that was read, or an empty string. */
    String cursor() {
        return cursor;
    }

    boolean ended() {
        return lost || walked();
    }

    boolean walked() {
        return shard.value().walked();
    }

    /** Takes the next subscribers. Rows that do not fill a batch wait for the next call. */
    void take(AudienceWalk.Part part) {
        for (Subscriber subscriber : part.people()) {
            if (!former.mailed(subscriber)) {
                SendingList list = Objects.requireNonNull(senders.get(subscriber.list()));
                Recipient to = recipient(subscriber, list);
                Write row = fanOut.deliveries().emailRow(to, message, list.from(), suppressed.findReason(to.address()));
                if (!budget.tryAdd(row)) {
                    if (!flush(false)) {
                        return;
                    }
                    budget.tryAdd(row);
                }
                batch.add(row);
            }
            cursor = subscriber.rowKey();
        }
        cursor = part.read();
        if (part.last()) {
            flush(true);
        } else if (fanOut.time().instant().isAfter(halfTime())) {
            flush(false);
        }
    }

    /** Lets another process continue at once. */
    void release() {
        ShardControl now = shard.value();
        write(now.at(now.checkpoint(), fanOut.time().instant()), List.of(), List.of());
    }

    private Instant halfTime() {
        return shard.value()
                .holder()
                .leaseEnd()
                .minus(fanOut.deliveries().limits().lease().dividedBy(2));
    }

    /** Returns the room in the batch, by rows and by bytes, and in the open range. */
    private BatchBudget room() {
        int open = fanOut.deliveries().limits().range() - shard.value().open().count();
        return new BatchBudget(
                key.partition(), Math.min(fanOut.deliveries().limits().rowsPerFanOut(), open));
    }

    /** Writes the collected rows, up to the cursor. */
    private boolean flush(boolean last) {
        Instant until =
                fanOut.time().instant().plus(fanOut.deliveries().limits().lease());
        ShardControl next = shard.value().at(cursor, until);
        List<Write> rows = List.copyOf(batch);
        if (!rows.isEmpty()) {
            next = next.filled(rows.get(0).rowKey(), rows.get(rows.size() - 1).rowKey(), rows.size());
        }
        List<Range> closed = List.of();
        if (next.open().count() > 0
                && (last || next.open().count() >= fanOut.deliveries().limits().range())) {
            closed = List.of(fanOut.shards().closeOpen(key, next, message));
            next = next.closed();
        }
        batch.clear();
        boolean written = write(last ? next.asWalked() : next, rows, closed);
        if (written) {
            budget = room();
            closed.forEach(range -> fanOut.ranges().put(message, range.key(), again));
        }
        return written;
    }

    private boolean write(ShardControl next, List<Write> rows, List<Range> closed) {
        Optional<WriteResult.Written> written =
                ConditionalWrites.attempt(() -> fanOut.deliveries().fanOut(key, shard, next, rows, closed));
        if (written.isPresent()) {
            shard = new Versioned<>(next, written.get().etags().get(rows.size()));
            return true;
        }
        Optional<Versioned<ShardControl>> now = fanOut.deliveries().shard(key);
        if (now.isPresent() && now.get().value().equals(next)) {
            shard = now.get();
            return true;
        }
        lost = true;
        return false;
    }

    private Recipient recipient(Subscriber subscriber, SendingList list) {
        return new Recipient(
                subscriber.list(),
                subscriber.address(),
                subscriber.profile().name(),
                subscriber.guid(),
                list.shown(subscriber.profile().attributes()),
                message.generation(),
                0,
                Range.Delay.NONE);
    }
}

package org.azuremail.scheduler;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.DeliveryStore;
import org.azuremail.delivery.MailItem;
import org.azuremail.delivery.Range;
import org.azuremail.delivery.Recipient;
import org.azuremail.delivery.ShardControl;
import org.azuremail.delivery.ShardKey;
import org.azuremail.delivery.ShardTakeOver;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.storage.BatchRoom;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;
import org.jspecify.annotations.Nullable;

/**
 * One attempt's walk of one shard. Each batch is one atomic write of e-mail rows, checkpoint, count, fence and, where it
 * closes one, range; whoever took the shard over in between makes it fail, and this walk ends.
 */
final class ShardWalk {

    private final DeliveryStore deliveries;
    private final ShardTakeOver shards;
    private final WorkQueues work;
    private final Time time;
    private final Message message;
    private final MailingList list;
    private final FormerAddresses former;
    private final ShardKey key;
    private final boolean again;
    private Versioned<ShardControl> shard;
    private final List<Write> batch = new ArrayList<>();
    private BatchRoom room;
    private String cursor;
    private boolean lost;

    ShardWalk(
            DeliveryStore deliveries,
            ShardTakeOver shards,
            WorkQueues work,
            Time time,
            Message message,
            MailingList list,
            FormerAddresses former,
            ShardKey key,
            Versioned<ShardControl> shard,
            boolean again) {
        this.deliveries = deliveries;
        this.shards = shards;
        this.work = work;
        this.time = time;
        this.message = message;
        this.list = list;
        this.former = former;
        this.key = key;
        this.shard = shard;
        this.cursor = shard.value().checkpoint();
        this.again = again || shard.value().epoch() > 1;
        this.room = room();
    }

    /** Row key of the last subscriber that was read, or empty. */
    String cursor() {
        return cursor;
    }

    /** Whether there is nothing left to do for this walk. */
    boolean ended() {
        return lost || walked();
    }

    boolean walked() {
        return shard.value().walked();
    }

    /** Takes a page of subscribers; what does not fill a batch waits for the next page. */
    void take(SubscriptionStore.ShardPage page) {
        for (Subscriber subscriber : page.subscribers()) {
            if (subscriber.verified() && !former.mailed(subscriber)) {
                Write row = deliveries.emailRow(
                        recipient(subscriber), message, list.fromEmail().value());
                if (!room.take(row)) {
                    if (!flush(false)) {
                        return;
                    }
                    room.take(row);
                }
                batch.add(row);
            }
            cursor = subscriber.rowKey();
        }
        if (page.lastRowKey() == null) {
            flush(true);
        } else if (time.instant().isAfter(halfTime())) {
            flush(false);
        }
    }

    /** Lets somebody else go on at once. */
    void release() {
        ShardControl now = shard.value();
        write(now.at(now.checkpoint(), time.instant()), List.of(), List.of());
    }

    private Instant halfTime() {
        return shard.value().leaseEnd().minus(deliveries.limits().lease().dividedBy(2));
    }

    /** What fits the batch, by rows and by bytes, and the open range. */
    private BatchRoom room() {
        int open = deliveries.limits().range() - shard.value().openCount();
        return new BatchRoom(key.partition(), Math.min(deliveries.limits().rowsPerFanOut(), open));
    }

    /** Writes what is collected, up to the cursor. */
    private boolean flush(boolean last) {
        Instant until = time.instant().plus(deliveries.limits().lease());
        ShardControl next = shard.value().at(cursor, until);
        List<Write> rows = List.copyOf(batch);
        if (!rows.isEmpty()) {
            next = next.filled(rows.get(0).rowKey(), rows.get(rows.size() - 1).rowKey(), rows.size());
        }
        List<Range> closed = List.of();
        if (next.openCount() > 0
                && (last || next.openCount() >= deliveries.limits().range())) {
            closed = List.of(shards.closeOpen(key, next, message));
            next = next.closed();
        }
        batch.clear();
        boolean written = write(last ? next.asWalked() : next, rows, closed);
        if (written) {
            room = room();
            closed.forEach(range -> work.put(MailItem.range(message.datePartition(), range.key(), again)));
        }
        return written;
    }

    private boolean write(ShardControl next, List<Write> rows, List<Range> closed) {
        WriteResult result = tryToWrite(next, rows, closed);
        if (result instanceof WriteResult.Written written) {
            shard = new Versioned<>(next, written.etags().get(rows.size()));
            return true;
        }
        Optional<Versioned<ShardControl>> now = deliveries.shard(key);
        if (now.isPresent() && now.get().value().equals(next)) {
            shard = now.get();
            return true;
        }
        lost = true;
        return false;
    }

    /** A lost answer counts as refused: reading S again settles both. */
    private @Nullable WriteResult tryToWrite(ShardControl next, List<Write> rows, List<Range> closed) {
        try {
            return deliveries.fanOut(key, shard, next, rows, closed);
        } catch (StorageException unknown) {
            return null;
        }
    }

    private Recipient recipient(Subscriber subscriber) {
        return new Recipient(
                subscriber.address(),
                subscriber.profile().name(),
                subscriber.guid(),
                subscriber.profile().attributes(),
                message.generation(),
                0,
                null);
    }
}

package org.azuremail.scheduler;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.FanOutItem;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.time.Time;
import org.azuremail.work.Switches;
import org.azuremail.work.queue.WorkQueues;

/** Queues idle work: ranges that no process works on, and shards that are not walked. */
final class Reconciler {

    private final DeliveryStore deliveries;
    private final MessageControl control;
    private final WorkQueues work;
    private final RangeQueues queues;
    private final Switches switches;
    private final Time time;

    /** When this process last queued each shard, by its monotonic clock: a hint that saves needless items. */
    private final Map<ShardKey, Duration> shardQueued = new ConcurrentHashMap<>();

    /** The attempts whose ranges this process queued at once because the attempt's process had died. */
    private final Map<RangeKey, String> requeuedOrphans = new ConcurrentHashMap<>();

    Reconciler(
            DeliveryStore deliveries,
            MessageControl control,
            WorkQueues work,
            RangeQueues queues,
            Switches switches,
            Time time) {
        this.deliveries = deliveries;
        this.control = control;
        this.work = work;
        this.queues = queues;
        this.switches = switches;
        this.time = time;
    }

    /** Queues every range again that no process works on, that need not wait and that was not queued for a while. */
    void requeueRanges(Message message) {
        Instant now = time.instant();
        if (!message.paused() && !queues.held(message, switches, now)) {
            deliveries
                    .ranges(message)
                    .filter(range -> idle(range.value(), message, now))
                    .forEach(range -> control.queue(message, range));
        }
    }

    private boolean idle(Range range, Message message, Instant now) {
        boolean waits = range.waitsAt(now) && message.status() != MessageStatus.CANCELLED;
        return !range.done()
                && !deliveries.held(range, now)
                && !waits
                && (!queuedRecently(range, now) || isNewlyOrphaned(range, now));
    }

    /** A range that was queued in the future was queued by a process whose clock has been corrected since. */
    private boolean queuedRecently(Range range, Instant now) {
        return range.queuedAt().plus(deliveries.limits().requeueAfter()).isAfter(now)
                && !range.queuedAt().isAfter(now.plus(deliveries.limits().skew()));
    }

    /**
     * Returns whether the process that held the range's item has died and this process has not queued the range since.
     * The item stays hidden for a while.
     */
    private boolean isNewlyOrphaned(Range range, Instant now) {
        return range.heldAt(now, deliveries.limits().skew())
                && !range.claim()
                        .nonce()
                        .equals(requeuedOrphans.put(range.key(), range.claim().nonce()));
    }

    /** Queues the fan-out of these shards, unless this process did a while ago. */
    void requeueShards(Message message, Stream<ShardKey> shards, boolean again) {
        Duration now = time.elapsed();
        shards.forEach(key -> {
            Duration queued = shardQueued.get(key);
            if (queued == null
                    || now.minus(queued).compareTo(deliveries.limits().requeueAfter()) >= 0) {
                work.put(new FanOutItem(message.datePartition(), message.ref(), key.shard(), again));
                shardQueued.put(key, now);
            }
        });
    }

    /** Forgets all other messages, which have ended, so that nothing of them is queued again. */
    void retainOnly(Set<MessageRef> active) {
        requeuedOrphans
                .keySet()
                .removeIf(range -> !active.contains(range.shard().ref()));
        shardQueued.keySet().removeIf(shard -> !active.contains(shard.ref()));
    }

    /** Returns the number of ranges and shards in memory. */
    int remembered() {
        return requeuedOrphans.size() + shardQueued.size();
    }
}

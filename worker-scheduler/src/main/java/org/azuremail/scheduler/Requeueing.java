package org.azuremail.scheduler;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.fanout.FanOutItem;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.MessageStatus;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.queue.WorkQueues;

/** Queues what lies idle: ranges that nobody works on, and shards that are not walked. */
final class Requeueing {

    private final DeliveryStore deliveries;
    private final MessageControl control;
    private final WorkQueues work;
    private final Predicate<Message> held;
    private final Time time;

    /** The times when this process last queued each shard; only a hint that saves needless items. */
    private final Map<ShardKey, Instant> shardQueued = new ConcurrentHashMap<>();

    /** The attempts whose ranges this process has queued at once, because their process is gone. */
    private final Map<RangeKey, String> leftBehind = new ConcurrentHashMap<>();

    /** @param held whether nobody takes ranges of the message at present, because its class is suspended or outside its hours */
    Requeueing(DeliveryStore deliveries, MessageControl control, WorkQueues work, Predicate<Message> held, Time time) {
        this.deliveries = deliveries;
        this.control = control;
        this.work = work;
        this.held = held;
        this.time = time;
    }

    /** Queues every range again that nobody works on, that need not wait and that was not queued for a while. */
    void ranges(Message message) {
        if (message.paused() || held.test(message)) {
            return;
        }
        Instant now = time.instant();
        message.shardNumbers().forEach(shard -> {
            for (Versioned<Range> range :
                    deliveries.controls(new ShardKey(message.ref(), shard)).ranges()) {
                if (idle(range.value(), message, now)) {
                    control.queue(message, range);
                }
            }
        });
    }

    private boolean idle(Range range, Message message, Instant now) {
        boolean waits = range.waitsAt(now) && message.status() != MessageStatus.CANCELLED;
        Instant again = range.queuedAt().plus(deliveries.limits().requeueAfter());
        return !range.done()
                && !deliveries.held(range, now)
                && !waits
                && (!again.isAfter(now) || isNewlyLeftBehind(range, now));
    }

    /** The holder of its item is gone: it comes again only when that is visible. */
    private boolean isNewlyLeftBehind(Range range, Instant now) {
        return range.heldAt(now, deliveries.limits().skew())
                && !range.claim()
                        .nonce()
                        .equals(leftBehind.put(range.key(), range.claim().nonce()));
    }

    /** Queues the fan-out of these shards, unless this process did a while ago. */
    void shards(Message message, IntStream shards, boolean again) {
        Instant now = time.instant();
        shards.forEach(shard -> {
            ShardKey key = new ShardKey(message.ref(), shard);
            Instant queued = shardQueued.get(key);
            if (queued == null
                    || !queued.plus(deliveries.limits().requeueAfter()).isAfter(now)) {
                work.put(new FanOutItem(message.datePartition(), message.ref(), shard, again));
                shardQueued.put(key, now);
            }
        });
    }

    /** The others have ended, for whatever reason: nothing of them is queued any more. */
    void forgetAllBut(Set<MessageRef> active) {
        leftBehind.keySet().removeIf(range -> !active.contains(range.shard().ref()));
        shardQueued.keySet().removeIf(shard -> !active.contains(shard.ref()));
    }

    /** Of how many ranges and shards something is remembered. */
    int remembered() {
        return leftBehind.size() + shardQueued.size();
    }
}

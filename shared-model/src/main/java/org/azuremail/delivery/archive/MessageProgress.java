package org.azuremail.delivery.archive;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.Message;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a message.
 *
 * @param recipients counted so far; final when walked
 * @param walked whether all recipients are counted
 * @param finished whether every recipient has an outcome
 * @param waits why parts of it wait, each reason once
 */
public record MessageProgress(
        long recipients, boolean walked, boolean finished, OutcomeCounts counts, List<Wait> waits) {

    /**
     * A reason why parts of a message wait.
     *
     * @param until when the first of them goes on by itself; {@code null} when nobody knows
     */
    public record Wait(Reason why, @Nullable Instant until) {}

    /** From the control rows of all shards. */
    public static MessageProgress of(DeliveryStore deliveries, Message message) {
        Sum sum = new Sum();
        message.shardNumbers().forEach(shard -> sum.add(deliveries.controls(new ShardKey(message.ref(), shard))));
        return sum.total();
    }

    /** Recipients without an outcome. */
    public long waiting() {
        return Math.max(0, recipients - counts.sum());
    }

    /** The reasons alone. */
    public List<Reason> notes() {
        return waits.stream().map(Wait::why).toList();
    }

    /** Adds the control rows of a message up. */
    private static final class Sum {

        private long recipients;
        private boolean walked = true;
        private boolean finished = true;
        private OutcomeCounts counts = OutcomeCounts.NONE;
        private final Map<Reason, Wait> waits = new LinkedHashMap<>();

        MessageProgress total() {
            return new MessageProgress(
                    recipients,
                    walked,
                    walked && finished && counts.sum() == recipients,
                    counts,
                    List.copyOf(waits.values()));
        }

        private void add(DeliveryStore.Controls controls) {
            walked &= controls.shard().isPresent()
                    && controls.shard().get().value().walked();
            recipients += controls.shard().map(s -> s.value().recipients()).orElse(0L);
            for (Versioned<Range> range : controls.ranges()) {
                counts = counts.plus(range.value().counts());
                finished &= range.value().done();
                Range.Delay delay = range.value().delay();
                if (!delay.why().none()) {
                    waits.merge(delay.why(), new Wait(delay.why(), delay.notBefore()), Sum::sooner);
                }
            }
        }

        private static Wait sooner(Wait one, Wait other) {
            boolean keep =
                    other.until() == null || (one.until() != null && one.until().isBefore(other.until()));
            return keep ? one : other;
        }
    }
}

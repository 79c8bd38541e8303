package org.azuremail.delivery.archive;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.ShardControl;
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
        long recipients, boolean walked, boolean finished, OutcomeCounts counts, List<WaitReason> waits) {

    /**
     * A reason why parts of a message wait.
     *
     * @param until when the first of them continues by itself; {@code null} when that is unknown
     */
    public record WaitReason(Reason reason, @Nullable Instant until) {}

    /** Computes the progress from the control rows of all shards. */
    public static MessageProgress of(DeliveryStore deliveries, Message message) {
        long recipients = 0;
        boolean walked = true;
        boolean finished = true;
        OutcomeCounts counts = OutcomeCounts.NONE;
        Map<Reason, WaitReason> waits = new LinkedHashMap<>();
        for (ShardKey key : ShardKey.all(message).toList()) {
            DeliveryStore.Controls controls = deliveries.controls(key);
            ShardControl shard = controls.shard().map(Versioned::value).orElse(null);
            walked &= shard != null && shard.walked();
            recipients += shard == null ? 0 : shard.recipients();
            for (Versioned<Range> range : controls.ranges()) {
                counts = counts.plus(range.value().counts());
                finished &= range.value().done();
                Range.Delay delay = range.value().delay();
                if (!delay.reason().none()) {
                    waits.merge(
                            delay.reason(), new WaitReason(delay.reason(), delay.notBefore()), MessageProgress::sooner);
                }
            }
        }
        boolean all = walked && finished && counts.sum() == recipients;
        return new MessageProgress(recipients, walked, all, counts, List.copyOf(waits.values()));
    }

    private static WaitReason sooner(WaitReason one, WaitReason other) {
        boolean keep =
                other.until() == null || (one.until() != null && one.until().isBefore(other.until()));
        return keep ? one : other;
    }

    public long waiting() {
        return Math.max(0, recipients - counts.sum());
    }

    public List<Reason> waitReasons() {
        return waits.stream().map(WaitReason::reason).toList();
    }
}

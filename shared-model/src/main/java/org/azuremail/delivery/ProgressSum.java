package org.azuremail.delivery;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.azuremail.delivery.MessageProgress.Wait;
import org.azuremail.message.Message;
import org.azuremail.message.OutcomeCounts;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Versioned;

/** Adds the control rows of a message up. */
final class ProgressSum {

    private long recipients;
    private boolean walked = true;
    private boolean finished = true;
    private OutcomeCounts counts = OutcomeCounts.NONE;
    private final Map<Reason, Wait> waits = new LinkedHashMap<>();

    private ProgressSum() {}

    static MessageProgress of(DeliveryStore deliveries, Message message) {
        ProgressSum sum = new ProgressSum();
        message.shardNumbers().forEach(shard -> sum.add(deliveries.controls(new ShardKey(message.ref(), shard))));
        return new MessageProgress(
                sum.recipients,
                sum.walked,
                sum.walked && sum.finished && sum.counts.sum() == sum.recipients,
                sum.counts,
                List.copyOf(sum.waits.values()));
    }

    private void add(DeliveryStore.Controls controls) {
        walked &= controls.shard().isPresent() && controls.shard().get().value().walked();
        recipients += controls.shard().map(s -> s.value().recipients()).orElse(0L);
        for (Versioned<Range> range : controls.ranges()) {
            counts = counts.plus(range.value().counts());
            finished &= range.value().done();
            if (!range.value().note().none()) {
                waits.merge(
                        range.value().note(),
                        new Wait(range.value().note(), range.value().notBefore()),
                        ProgressSum::sooner);
            }
        }
    }

    private static Wait sooner(Wait one, Wait other) {
        boolean keep =
                other.until() == null || (one.until() != null && one.until().isBefore(other.until()));
        return keep ? one : other;
    }
}

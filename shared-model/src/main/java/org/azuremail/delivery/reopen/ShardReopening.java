package org.azuremail.delivery.reopen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RangeKey;
import org.azuremail.delivery.range.RangeQueues;
import org.azuremail.delivery.range.Recipient;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardControl;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.Message;
import org.azuremail.message.ReopenScope;
import org.azuremail.storage.BatchBudget;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Page;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.suppression.Suppressions;
import org.azuremail.time.Time;

/**
 * A reopening's part in one shard. It writes batches of email rows of the new generation, their ranges, and the old
 * ranges without the outcomes that no longer count. Repeatable, by several processes at a time: each batch is written
 * under the ETags of S and of the old ranges, which were read before the outcomes.
 */
record ShardReopening(
        DeliveryStore deliveries,
        Suppressions suppressions,
        RangeQueues ranges,
        Time time,
        Message message,
        ReopenScope scope,
        ShardKey key) {

    /** Works until every recipient has a row, or another process has finished the shard. */
    void run() {
        boolean open = !ended(deliveries.shard(key));
        String continuation = null;
        while (open) {
            Page<RecordedOutcome> page =
                    deliveries.outcomes(key, deliveries.limits().page(), continuation);
            List<RecordedOutcome> wanted =
                    page.items().stream().filter(this::concerned).toList();
            int room = Math.max(1, deliveries.limits().batch() / 2 - 1);
            for (int at = 0; at < wanted.size() && open; at += room) {
                open = reopenBatch(wanted.subList(at, Math.min(at + room, wanted.size())));
            }
            continuation = page.continuation();
            open &= continuation != null;
        }
    }

    private boolean concerned(RecordedOutcome recorded) {
        return !recorded.settles(message.generation())
                && scope.includes(
                        Recipient.foldedAddress(recorded.rowKey()), recorded.outcome(), recorded.generation());
    }

    private boolean ended(Optional<Versioned<ShardControl>> shard) {
        return shard.orElseThrow().value().reopened() >= message.generation();
    }

    /**
     * Writes one batch, and repeats it until it succeeds: new email rows, their range, S, and the old ranges without
     * these outcomes. The email rows of an earlier generation are read before the outcomes, because the outcome of a
     * row that is cleared in between was recorded before.
     *
     * @return whether the reopening has not finished this shard
     */
    private boolean reopenBatch(List<RecordedOutcome> batch) {
        return ConditionalWrites.retry("shard " + key, () -> {
            DeliveryStore.Controls controls = deliveries.controls(key);
            if (ended(controls.shard())) {
                return Optional.of(false);
            }
            List<Versioned<Range>> ours = controls.ranges().stream()
                    .filter(range -> range.value().span().generation() == message.generation())
                    .toList();
            List<RecordedOutcome> missing = batch.stream()
                    .filter(recorded ->
                            ours.stream().noneMatch(range -> range.value().covers(recorded.rowKey())))
                    .filter(recorded ->
                            deliveries.waitingRow(key, recorded.rowKey()).isEmpty())
                    .map(recorded -> deliveries.outcome(key, recorded.rowKey()).orElse(recorded))
                    .filter(this::concerned)
                    .toList();
            if (missing.isEmpty()) {
                return Optional.of(true);
            }
            List<RecordedOutcome> next = upToNextRange(ours, missing);
            Suppressions.SuppressionLookup lookup = suppressions.lookup(key.shard(), message.shards());
            Map<String, Write> rows = new LinkedHashMap<>();
            next.forEach(recorded -> rows.put(recorded.rowKey(), emailRow(recorded, lookup)));
            List<RecordedOutcome> fit =
                    BatchBudget.first(key.partition(), next.size(), next, recorded -> rows.get(recorded.rowKey()));
            writeBatch(controls, fit, rows);
            return Optional.empty();
        });
    }

    /**
     * Returns the first recipients, up to the next range, because a recipient belongs to only one range of a
     * generation.
     */
    private static List<RecordedOutcome> upToNextRange(
            List<Versioned<Range>> ranges, List<RecordedOutcome> recipients) {
        String first = recipients.get(0).rowKey();
        return recipients.stream()
                .takeWhile(recorded -> ranges.stream()
                        .map(range -> range.value().span().from())
                        .noneMatch(from -> first.compareTo(from) < 0 && from.compareTo(recorded.rowKey()) < 0))
                .toList();
    }

    /**
     * Writes a batch. S was read before the rows, so the write is refused if another process reopened or sent in
     * between.
     */
    private void writeBatch(DeliveryStore.Controls controls, List<RecordedOutcome> batch, Map<String, Write> rows) {
        Versioned<ShardControl> shard = controls.shard().orElseThrow();
        Range.Span span = new Range.Span(
                batch.get(0).rowKey(), batch.get(batch.size() - 1).rowKey(), batch.size(), message.generation());
        Range range = Range.of(message, new RangeKey(key, shard.value().open().number()), span, time.instant());
        List<Write> writes = new ArrayList<>();
        batch.forEach(recorded -> writes.add(rows.get(recorded.rowKey())));
        writes.add(new Write.Replace(ShardControl.ROW, shard.value().closed().toValues(), shard.etag()));
        writes.add(Write.insert(range.key().row(), range.toValues()));
        withoutOutcomes(controls.ranges(), batch)
                .forEach((old, counted) ->
                        writes.add(new Write.Replace(counted.key().row(), counted.toValues(), old.etag())));
        if (deliveries.write(key, writes).written()) {
            ranges.put(message, range.key(), true);
        }
    }

    private Write emailRow(RecordedOutcome recorded, Suppressions.SuppressionLookup lookup) {
        Recipient recipient = recorded.recipient().inGeneration(message.generation());
        String from = recorded.values().string("FromEmailAddress", "");
        return deliveries.emailRow(recipient, message, from, lookup.findReason(recipient.address()));
    }

    /** Returns the ranges that counted these outcomes, each with a copy that does not count them. */
    private static Map<Versioned<Range>, Range> withoutOutcomes(
            List<Versioned<Range>> ranges, List<RecordedOutcome> batch) {
        Map<Versioned<Range>, Range> changed = new LinkedHashMap<>();
        for (RecordedOutcome recorded : batch) {
            ranges.stream()
                    .filter(old -> old.value().span().generation() == recorded.generation())
                    .filter(old -> old.value().covers(recorded.rowKey()))
                    .findFirst()
                    .ifPresent(old -> {
                        Range now = changed.getOrDefault(old, old.value());
                        changed.put(old, now.counted(now.counts().minus(recorded.outcome())));
                    });
        }
        return changed;
    }
}

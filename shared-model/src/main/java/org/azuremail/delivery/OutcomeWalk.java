package org.azuremail.delivery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.OutcomeGroup;
import org.azuremail.delivery.range.Range;
import org.azuremail.delivery.range.RecordedOutcome;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.Message;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.Page;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.jspecify.annotations.Nullable;

/**
 * Lists the recipients of one group, in order of shard and address. No index by outcome exists, but ranges count their
 * outcomes, so that only spans with such recipients are read. Costs one call for each shard (and thousand ranges) and
 * one for each thousand outcomes in such spans; a page that has read {@link #MAX_READS} thousands ends early and has a
 * cursor.
 */
final class OutcomeWalk {

    static final int MAX_READS = 20;

    private final DeliveryStore deliveries;
    private final Message message;
    private final OutcomeGroup wanted;
    private final int limit;
    private final Instant now;
    private final List<RecordedOutcome> found = new ArrayList<>();
    private int reads;

    OutcomeWalk(DeliveryStore deliveries, Message message, OutcomeGroup wanted, int limit, Instant now) {
        this.deliveries = deliveries;
        this.message = message;
        this.wanted = wanted;
        this.limit = limit;
        this.now = now;
    }

    /**
     * Returns one page.
     *
     * @throws IllegalArgumentException when the cursor is invalid
     */
    Page<RecordedOutcome> page(@Nullable String cursor) {
        OutcomeCursor at = OutcomeCursor.read(cursor, message.shards());
        String after = at.positionInShard() == null ? null : KeyEscaper.requireKey(at.positionInShard());
        for (int shard = at.shard(); shard < message.shards(); shard++) {
            String stoppedAt = read(new ShardKey(message.ref(), shard), after);
            if (stoppedAt != null) {
                return new Page<>(found, new OutcomeCursor(shard, stoppedAt).text());
            }
            after = null;
        }
        return new Page<>(found, null);
    }

    /** Reads a shard. Returns the place where it stopped before the end, or null. */
    private @Nullable String read(ShardKey shard, @Nullable String after) {
        String last = after == null ? "" : after;
        for (Range.Span span : spans(shard)) {
            while (last.compareTo(span.to()) < 0) {
                if (found.size() == limit || reads == MAX_READS) {
                    return last;
                }
                last = read(shard, span, last);
            }
        }
        return null;
    }

    /** Continues in a span. Returns the last row that was read, or the end of the span. */
    private String read(ShardKey shard, Range.Span span, String after) {
        reads++;
        int rows = wanted == OutcomeGroup.SENT ? limit - found.size() : TableStore.MAX_PAGE;
        Page<RecordedOutcome> page = deliveries.outcomes(shard, span.from(), span.to(), after, rows);
        for (RecordedOutcome recorded : page.items()) {
            if (wanted.holds(recorded, now)) {
                found.add(recorded);
            }
            if (found.size() == limit) {
                return recorded.rowKey();
            }
        }
        boolean end = page.last() || page.items().isEmpty();
        return end ? span.to() : page.items().get(page.items().size() - 1).rowKey();
    }

    /** Returns the spans in order; the spans of a message that was sent again overlap. */
    private List<Range.Span> spans(ShardKey shard) {
        return deliveries.controls(shard).ranges().stream()
                .map(Versioned::value)
                .filter(range -> wanted.most(range.counts()) > 0)
                .map(Range::span)
                .sorted(Comparator.comparing(Range.Span::from))
                .toList();
    }
}

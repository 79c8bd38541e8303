package org.azuremail.delivery;

import static org.azuremail.message.MessageStore.ACTIVE;
import static org.azuremail.message.MessageStore.ARCHIVE;
import static org.azuremail.message.MessageStore.MESSAGE;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;

/**
 * Counts that still have to follow an outcome that was changed when it stood already, also when whoever changed it dies
 * before it has counted anew, and the message is final. Two rows say so: one in the index that the scheduler looks at,
 * {@code .active}/{@code recount:<MessageRef>.<shard>}, written before; and {@code !recount} beside the outcomes, in the
 * very batch that changes them. The latter goes once the shard is counted anew, as it was read before that; the former
 * when it is long settled, because somebody may be about to write the latter.
 */
public final class LateCounts {

    private static final String PREFIX = "recount:";
    private static final String MARK = "!recount";

    /** Longer than anybody lives from the index row to the mark. */
    private static final Duration SETTLED = Duration.ofHours(2);

    private final TableStore tables;
    private final DeliveryStore deliveries;
    private final RangeRewriter rewriter;

    public LateCounts(TableStore tables, DeliveryStore deliveries, RangeRewriter rewriter) {
        this.tables = tables;
        this.deliveries = deliveries;
        this.rewriter = rewriter;
    }

    /** Before a message ends: every range that counts somebody as Unknown is counted anew. */
    public void recountUnknown(Message message) {
        message.shardNumbers()
                .forEach(shard -> deliveries.controls(new ShardKey(message.ref(), shard)).ranges().stream()
                        .map(Versioned::value)
                        .filter(range -> range.counts().unknown() > 0)
                        .forEach(range -> rewriter.recount(range.key())));
    }

    /** Whether a row of {@code .active} is one of these. */
    public static boolean isIndexRow(String rowKey) {
        return rowKey.startsWith(PREFIX);
    }

    /** To be written before a batch with a {@link #mark}. */
    static void announce(TableStore tables, ShardKey shard, Instant now) {
        String row = PREFIX + shard.ref().padded() + "." + shard.shard();
        tables.write(MESSAGE, ACTIVE, Write.upsert(row, Values.of("AnnouncedAt", now)));
    }

    /** Belongs into the batch that changes outcomes that stood already. */
    static Write mark(Instant now) {
        return Write.upsert(MARK, Values.of("ChangedAt", now));
    }

    /**
     * Counts a shard anew, if that is still to be done; the index row goes when nothing is, and it is old. Repeatable.
     *
     * @param index a row of {@code .active} as it was read
     */
    public void lookAt(Row index, Instant now) {
        ShardKey shard = shard(index);
        Optional<Row> mark = tables.get(ARCHIVE, shard.partition(), MARK);
        if (mark.isPresent()) {
            rewriter.recount(shard);
            tables.write(ARCHIVE, shard.partition(), Write.delete(mark.get()));
        } else if (index.values().requireInstant("AnnouncedAt").plus(SETTLED).isBefore(now)) {
            tables.write(MESSAGE, ACTIVE, Write.delete(index));
        }
    }

    private static ShardKey shard(Row index) {
        String[] parts = index.rowKey().substring(PREFIX.length()).split("\\.");
        return new ShardKey(new MessageRef(Long.parseLong(parts[0])), Integer.parseInt(parts[1]));
    }
}

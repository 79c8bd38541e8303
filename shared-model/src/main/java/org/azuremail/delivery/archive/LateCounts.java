package org.azuremail.delivery.archive;

import static org.azuremail.message.MessageStore.ACTIVE;
import static org.azuremail.message.MessageStore.ARCHIVE;
import static org.azuremail.message.MessageStore.MESSAGE;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.delivery.range.ShardKey;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/**
 * Counts that still have to follow an outcome that was changed when it stood already, also when whoever changed it dies
 * before it has counted anew, and the message is final. Two rows say so: {@code !recount} beside the outcomes, written first
 * and replaced in the very batch that changes them; and one in the index that the scheduler looks at,
 * {@code .active}/{@code recount:<MessageRef>.<shard>}, written between the two. The former goes once the shard is counted
 * anew, as it was read before that; a process that slept before its batch is refused then, and says both again. The latter
 * goes, as it was read, when the former is gone.
 */
public record LateCounts(TableStore tables, DeliveryStore deliveries, RangeRewriter rewriter) {

    private static final String PREFIX = "recount:";
    private static final String MARK = "!recount";

    /** Before a message ends: every range that counts somebody as Unknown is counted anew. */
    public void recountUnknown(Message message) {
        deliveries
                .ranges(message)
                .filter(range -> range.value().counts().unknown() > 0)
                .forEach(range -> rewriter.recount(range.value().key()));
    }

    /** Returns whether a row of {@code .active} is one of these. */
    public static boolean isIndexRow(String rowKey) {
        return rowKey.startsWith(PREFIX);
    }

    /**
     * Before a batch that changes outcomes that stood already.
     *
     * @return belongs into that batch
     */
    public static Write announce(TableStore tables, ShardKey shard, Instant now) {
        Row mark = standing(tables, shard, now);
        String row = PREFIX + shard.ref().padded() + "." + shard.shard();
        tables.write(MESSAGE, ACTIVE, Write.upsert(row, Values.of("AnnouncedAt", now)));
        return Write.replace(mark, Values.of("ChangedAt", now));
    }

    /** Somebody else's is as good: one of both is refused then, and begins again. */
    private static Row standing(TableStore tables, ShardKey shard, Instant now) {
        return ConditionalWrites.until("the mark in " + shard.partition(), () -> {
            Optional<Row> mark = tables.get(ARCHIVE, shard.partition(), MARK);
            if (mark.isEmpty()) {
                tables.write(ARCHIVE, shard.partition(), Write.insert(MARK, Values.of("ChangedAt", now)));
            }
            return mark;
        });
    }

    /**
     * Counts a shard anew, if that is still to be done; the index row goes when nothing is. Repeatable.
     *
     * @param index a row of {@code .active} as it was read
     */
    public void lookAt(Row index) {
        ShardKey shard = shard(index);
        Optional<Row> mark = tables.get(ARCHIVE, shard.partition(), MARK);
        if (mark.isPresent()) {
            rewriter.recount(shard);
            tables.write(ARCHIVE, shard.partition(), Write.delete(mark.get()));
        } else {
            tables.write(MESSAGE, ACTIVE, Write.delete(index));
        }
    }

    private static ShardKey shard(Row index) {
        String[] parts = index.rowKey().substring(PREFIX.length()).split("\\.");
        return new ShardKey(new MessageRef(Long.parseLong(parts[0])), Integer.parseInt(parts[1]));
    }
}

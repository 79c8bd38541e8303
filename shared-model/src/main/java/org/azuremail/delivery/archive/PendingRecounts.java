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
 * Recounts that are still due after a recorded outcome was changed, even if the process that changed it dies before it
 * recounts and the message is final. Two rows record this. {@code !recount} beside the outcomes is written first, and
 * replaced in the very batch that changes them. {@code .active}/{@code recount:<MessageRef>.<shard>}, in the index that
 * the scheduler reads, is written between the two. The first row is deleted after the shard is recounted, under the
 * ETag that was read before; the batch of a process that was suspended is then refused, and that process writes both
 * rows again. The second row is deleted, under the ETag that was read, once the first is gone.
 */
public record PendingRecounts(TableStore tables, DeliveryStore deliveries, RangeRewriter rewriter) {

    private static final String PREFIX = "recount:";
    private static final String MARK = "!recount";

    /** Recounts every range with Unknown recipients before a message ends. */
    public void recountUnknown(Message message) {
        deliveries
                .ranges(message)
                .filter(range -> range.value().counts().unknown() > 0)
                .forEach(range -> rewriter.recount(range.value().key()));
    }

    /** Returns whether a row of {@code .active} announces a recount. */
    public static boolean isIndexRow(String rowKey) {
        return rowKey.startsWith(PREFIX);
    }

    /**
     * Announces a batch that changes recorded outcomes.
     *
     * @return a write that belongs in that batch
     */
    public static Write announce(TableStore tables, ShardKey shard, Instant now) {
        Row mark = standing(tables, shard, now);
        String row = PREFIX + shard.ref().padded() + "." + shard.shard();
        tables.write(MESSAGE, ACTIVE, Write.upsert(row, Values.of("AnnouncedAt", now)));
        return Write.replace(mark, Values.of("ChangedAt", now));
    }

    /**
     * Returns the row of the mark. The mark of another process serves as well: then one of the two writes is refused
     * and starts again.
     */
    private static Row standing(TableStore tables, ShardKey shard, Instant now) {
        return ConditionalWrites.retry("the mark in " + shard.partition(), () -> {
            Optional<Row> mark = tables.get(ARCHIVE, shard.partition(), MARK);
            if (mark.isEmpty()) {
                tables.write(ARCHIVE, shard.partition(), Write.insert(MARK, Values.of("ChangedAt", now)));
            }
            return mark;
        });
    }

    /**
     * Recounts a shard if that is still due, and deletes the index row once nothing is due. Repeatable.
     *
     * @param index a row of {@code .active} as it was read
     */
    public void recountIfDue(Row index) {
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

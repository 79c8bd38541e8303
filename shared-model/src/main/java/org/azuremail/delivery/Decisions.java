package org.azuremail.delivery;

import static org.azuremail.message.MessageStore.ARCHIVE;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.azuremail.mail.EmailAddress;
import org.azuremail.message.Message;
import org.azuremail.message.MessageStore;
import org.azuremail.message.Outcome;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;

/**
 * A person decides about recipients whose outcome is Unknown: they got it. That is late knowledge as any other: the archive
 * first, under the ETag of the outcome that was read, then the counts of the ranges anew. Only Unknown becomes Sent, so
 * that whatever else is known meanwhile stands. Repeatable: what broke off is finished by doing it again; the sums follow what was
 * recorded even if nobody does ({@link LateCounts}). The other decision, send it once more, is {@link Reopening}'s.
 */
public class Decisions {

    private static final int MAX_ROUNDS = 20;

    private final TableStore tables;
    private final MessageStore messages;
    private final DeliveryStore deliveries;
    private final RangeRewriter rewriter;
    private final Time time;

    public Decisions(
            TableStore tables, MessageStore messages, DeliveryStore deliveries, RangeRewriter rewriter, Time time) {
        this.tables = tables;
        this.messages = messages;
        this.deliveries = deliveries;
        this.rewriter = rewriter;
        this.time = time;
    }

    /**
     * Records one recipient as Sent if its outcome is Unknown. Three storage calls, some more for the counts.
     *
     * @param shard where the address is
     * @param by who decided, for the record
     * @return the outcome that stands now; empty when there is none
     * @throws StorageException when nobody can know how far it came; do it again
     */
    public Optional<Outcome> markSent(Message message, int shard, EmailAddress address, String by) {
        ShardKey key = new ShardKey(message.ref(), shard);
        String row = Recipient.rowKey(address);
        boolean written =
                markBatch(key, List.of(row), by) > 0; // also when another press wrote it, and stopped in between
        Optional<Recorded> now = deliveries.outcome(key, row);
        if (written) {
            rewriter.recount(key, Set.of(row));
        }
        return now.map(Recorded::outcome);
    }

    /**
     * Records every Unknown recipient as Sent. A storage call a shard, and a few more for each range that has Unknown ones.
     *
     * @param by who decided, for the record
     * @return how many there were
     * @throws StorageException when nobody can know how far it came; do it again
     */
    public long markAllSent(Message message, String by) {
        long marked = message.shardNumbers()
                .mapToLong(shard -> markAllIn(new ShardKey(message.ref(), shard), by))
                .sum();
        messages.recountEnded(
                message.ref(), ended -> ProgressSum.of(deliveries, ended).counts());
        return marked;
    }

    /** A range that counts Unknown ones is counted anew even if none is left: somebody may have stopped in between. */
    private long markAllIn(ShardKey shard, String by) {
        long marked = 0;
        for (Versioned<Range> read : deliveries.controls(shard).ranges()) {
            Range range = read.value();
            if (range.counts().unknown() > 0) {
                marked += markIn(shard, unknownIn(range), by);
                rewriter.recount(range.key());
            }
        }
        return marked;
    }

    private List<String> unknownIn(Range range) {
        return deliveries.recorded(range).values().stream()
                .filter(recorded -> recorded.outcome() == Outcome.UNKNOWN)
                .filter(recorded -> recorded.generation() == range.generation())
                .map(Recorded::rowKey)
                .toList();
    }

    private long markIn(ShardKey shard, List<String> rows, String by) {
        long marked = 0;
        int room = deliveries.limits().batch() - 1; // the mark beside them
        for (int from = 0; from < rows.size(); from += room) {
            marked += markBatch(shard, rows.subList(from, Math.min(from + room, rows.size())), by);
        }
        return marked;
    }

    /** How many of these are Sent at the end: a lost answer hides who wrote it. */
    private int markBatch(ShardKey shard, List<String> keys, String by) {
        for (int round = 0; round < MAX_ROUNDS; round++) {
            List<Write> writes = new ArrayList<>();
            int sent = 0;
            for (String key : keys) {
                Optional<Row> row = tables.get(ARCHIVE, shard.partition(), key);
                Optional<Recorded> recorded = row.map(there -> Recorded.from(key, there.values()));
                if (recorded.filter(one -> one.outcome() == Outcome.UNKNOWN).isPresent()) {
                    Recorded got = recorded.get().decidedSent(by, time.instant());
                    writes.add(Write.replace(row.get(), got.toValues()));
                }
                sent += recorded.filter(one -> one.outcome() == Outcome.SENT).isPresent() ? 1 : 0;
            }
            int decided = writes.size();
            if (decided > 0) {
                writes.add(LateCounts.announce(tables, shard, time.instant()));
            }
            if (decided == 0 || tables.write(ARCHIVE, shard.partition(), writes) instanceof WriteResult.Written) {
                return decided + sent;
            }
        }
        throw new StorageException(
                StorageException.Reason.UNAVAILABLE, "outcomes in " + shard.partition() + " keep changing", null);
    }
}

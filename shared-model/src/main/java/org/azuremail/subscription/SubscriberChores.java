package org.azuremail.subscription;

import java.time.Instant;
import java.util.Iterator;
import java.util.Optional;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.subscription.store.ShardChoreIndex;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.store.WaitRow;
import org.azuremail.subscription.subscriber.Bookkeeping;
import org.azuremail.subscription.subscriber.Membership;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.time.Time;

/**
 * Continues the waiting chores of subscribers: unsent confirmations, unfinished moves, and the removal of people's
 * rows. The scheduler calls it at each poll for the rows of {@code .active} that name shards with such chores.
 */
public record SubscriberChores(
        ListStore lists,
        TableStore tables,
        ShardChoreIndex index,
        ConfirmationQueue queue,
        Moves moves,
        Erasures erasures,
        Time time) {

    /** The most chores of one shard that one poll repeats, so that a backlog does not delay the poll. */
    static final int MAX_REPEATED = 1000;

    /** Returns whether a row of {@code .active} belongs to {@link #requeueStale}. */
    public static boolean isIndexRow(String rowKey) {
        return rowKey.startsWith(ShardChoreIndex.PREFIX);
    }

    /**
     * Queues chores again that have waited for more than a minute, and deletes the index row once its shard has none.
     * Several processes may do this at the same time.
     *
     * @param indexRow the row as read from {@code .active}
     * @return whether any chore is waiting
     */
    public boolean requeueStale(Row indexRow) {
        Instant checkedAt = time.instant();
        Optional<ShardChoreIndex.ShardRef> shardRef = ShardChoreIndex.ShardRef.of(indexRow.rowKey());
        Optional<MailingList> list = shardRef.flatMap(existing -> lists.findValue(existing.list()));
        if (shardRef.isEmpty() || list.isEmpty()) {
            index.removeIfSettled(indexRow, checkedAt);
            return false;
        }
        boolean waits = requeueStaleIn(list.get(), shardRef.get().partition());
        if (!waits) {
            index.removeIfSettled(indexRow, checkedAt);
        }
        return waits;
    }

    /**
     * Finishes the moves that begin in a shard. Call this before the shard's rows are deleted, so that no moving person
     * is lost.
     */
    public void finishMoves(MailingList list, int shard) {
        KeyRange waiting = KeyRange.prefix(SubscriberKeys.partition(list.name(), shard), SubscriberKeys.WAIT);
        Rows.all(tables, SubscriptionStore.TABLE, waiting).stream()
                .map(WaitRow::of)
                .filter(row -> row.chore() == Bookkeeping.Chore.MOVE)
                .forEach(row -> moves.finishPendingMove(new Membership(list.name(), row.address())));
    }

    /**
     * Reads the waiting chores of the whole shard, page by page, so that old chores do not hide the ones behind them. A
     * confirmation that was repeated is not stale at the next poll, so every chore of a backlog gets its turn.
     *
     * @return whether any chore is waiting
     */
    private boolean requeueStaleIn(MailingList list, String partition) {
        Instant now = time.instant();
        Iterator<Row> rows = Rows.stream(
                        tables, SubscriptionStore.TABLE, KeyRange.prefix(partition, SubscriberKeys.WAIT))
                .iterator();
        boolean waits = rows.hasNext();
        int repeated = 0;
        while (rows.hasNext() && repeated < MAX_REPEATED) {
            Row row = rows.next();
            WaitRow waiting = WaitRow.of(row);
            if (waiting.stale(now)) {
                repeated++;
                WaitRow again = waiting.repeatedAt(now);
                boolean ours = tables.write(SubscriptionStore.TABLE, partition, again.replace(row))
                        .written();
                if (ours) {
                    repeat(list, again);
                }
            }
        }
        return waits;
    }

    private void repeat(MailingList list, WaitRow waiting) {
        switch (waiting.chore()) {
            case CONFIRMATION, WELCOME -> queue.send(list.name(), waiting.guid());
            case MOVE -> moves.finishPendingMove(new Membership(list.name(), waiting.address()));
            case ERASURE -> erasures.finish(list, waiting.address());
        }
    }
}

package org.azuremail.subscription.store;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.field.IndexMark;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.jspecify.annotations.Nullable;

/**
 * The row that counts a shard's subscribers. It is part of every batch that adds or removes one, so it can close the
 * shard: writers that read it before that are refused, and then find it closed. It remains when the other rows of a
 * deleted list are removed, and a new list of the same name opens it.
 */
public record ShardCounts(TableStore tables, ListName list, int shard) {

    private static final String INDEXED = "Indexed";
    private static final String LIST_CREATED = "ListCreatedAt";

    /**
     * The counts as read, to be changed under the ETag of the row.
     *
     * @param listCreated when the list was created, to distinguish it from a deleted one of the same name; {@code null}
     *     if no subscriber was added since an older version wrote the row
     */
    public record CountRow(
            @Nullable Row row,
            Turnover turnover,
            SubscriberCounts counts,
            boolean closed,
            IndexMark index,
            @Nullable Instant listCreated) {

        public CountRow after(SubscriberBatch batch) {
            SubscriberCounts changed = batch.applyTo(counts);
            return new CountRow(
                    row,
                    turnover.after(changed.subscribed() - counts.subscribed()),
                    changed,
                    closed,
                    index,
                    listCreated);
        }

        public Write write() {
            Values values = turnover.into(counts.toValues())
                    .with(SubscriberKeys.CLOSED, closed ? true : null)
                    .with(INDEXED, index.stored())
                    .with(LIST_CREATED, listCreated);
            return row == null ? Write.insert(SubscriberKeys.COUNT, values) : Write.replace(row, values);
        }
    }

    /** Returns the counts for a change that adds no subscriber. */
    CountRow readForChange() {
        Row row = row().orElse(null);
        Values values = row == null ? Values.none() : row.values();
        return counted(row, values, row != null && closed(row), values.instant(LIST_CREATED));
    }

    /**
     * Returns the counts for a change that adds a subscriber. Unless the row shows that it belongs to the list, the
     * list is read, too; this happens for the first subscriber of a shard.
     *
     * @throws ListDeletedException if the list was deleted after the caller had read it
     */
    static CountRow readForAdd(TableStore tables, ListStore lists, MailingList list, int shard) {
        Row row = new ShardCounts(tables, list.name(), shard).row().orElse(null);
        boolean closed = row != null && closed(row);
        Values values = row == null || closed ? Values.none() : row.values();
        boolean exists = list.createdAt().equals(values.instant(LIST_CREATED))
                || lists.findValue(list.name())
                        .filter(now -> now.createdAt().equals(list.createdAt()) && !(closed && now.deleting()))
                        .isPresent();
        if (!exists) {
            throw new ListDeletedException(list.name());
        }
        return counted(row, values, false, list.createdAt());
    }

    /**
     * Thrown when a list was deleted after the caller had read it. A new list may have its name by now, so work that
     * reads the list again may succeed.
     */
    public static final class ListDeletedException extends StorageException {

        private ListDeletedException(ListName list) {
            super(Reason.UNAVAILABLE, "list " + list + " was deleted just now", null);
        }
    }

    private static CountRow counted(@Nullable Row row, Values values, boolean closed, @Nullable Instant listCreated) {
        return new CountRow(
                row,
                Turnover.from(values),
                SubscriberCounts.from(values),
                closed,
                IndexMark.read(values.string(INDEXED)),
                listCreated);
    }

    /**
     * Sets the fields that are indexed for new subscribers, unless a newer mark exists. Batches that add a subscriber
     * contain the row, so a batch with the older mark is refused.
     */
    public void mark(IndexMark mark) {
        ConditionalWrites.retryIdempotentUntilDone("index mark of " + list, () -> {
            Optional<Row> row = row();
            if (index(row).revision() >= mark.revision()) {
                return true;
            }
            Values values = row.map(Row::values).orElseGet(SubscriberCounts.NONE::toValues);
            return write(row, values.with(INDEXED, mark.stored()));
        });
    }

    /**
     * Returns the fields that are indexed for new subscribers; {@link IndexMark#NONE} also if an older version has
     * written the row since.
     */
    public IndexMark index() {
        return index(row());
    }

    private static IndexMark index(Optional<Row> row) {
        return IndexMark.read(row.map(found -> found.values().string(INDEXED)).orElse(null));
    }

    /**
     * Closes a shard of a list that is being deleted, so that no subscriber can be added. The counts remain, for the
     * progress of the deletion.
     *
     * @return false if the list no longer exists or a new one has its name; this is checked after the row was read
     */
    public boolean close(ListStore lists) {
        Optional<Row> row = row();
        while (row.filter(ShardCounts::closed).isEmpty()) {
            if (!lists.isDeleting(list)) {
                return false;
            }
            Values values = row.map(Row::values)
                    .orElseGet(SubscriberCounts.NONE::toValues)
                    .with(SubscriberKeys.CLOSED, true);
            write(row, values);
            row = row();
        }
        return true;
    }

    /**
     * Deletes all rows of a closed shard except for its counts. Each batch contains the counts. When the first
     * subscriber of a new list of the same name opens the shard, nothing more is deleted.
     *
     * @return false if the shard is open
     */
    public boolean sweep() {
        while (true) {
            Optional<Row> closed = row().filter(ShardCounts::closed);
            List<Row> rows = closed.isEmpty() ? List.of() : others();
            if (rows.isEmpty()) {
                return closed.isPresent();
            }
            List<Write> writes = new ArrayList<>();
            writes.add(Write.replace(closed.get(), closed.get().values()));
            rows.forEach(row -> writes.add(Write.delete(row.rowKey())));
            tables.write(SubscriptionStore.TABLE, partition(), writes);
        }
    }

    private List<Row> others() {
        int max = TableStore.MAX_BATCH - 1;
        KeyRange before = KeyRange.rows(partition(), null, SubscriberKeys.COUNT);
        List<Row> rows =
                Rows.first(tables, SubscriptionStore.TABLE, before, max, null).items();
        KeyRange behind = KeyRange.rows(partition(), KeyRange.next(SubscriberKeys.COUNT), null);
        return rows.isEmpty()
                ? Rows.first(tables, SubscriptionStore.TABLE, behind, max, null).items()
                : rows;
    }

    /** Sets the counts of a closed shard to zero, once its subscribers are removed. */
    public void resetToZero() {
        Values none = SubscriberCounts.NONE.toValues().with(SubscriberKeys.CLOSED, true);
        row().filter(ShardCounts::closed)
                .filter(row -> !row.values().equals(none))
                .ifPresent(row -> write(Optional.of(row), none));
    }

    /** Deletes the closed row, long after the list was removed, unless a new list has opened it. */
    public void forget() {
        row().filter(ShardCounts::closed)
                .ifPresent(row -> tables.write(SubscriptionStore.TABLE, partition(), Write.delete(row)));
    }

    private boolean write(Optional<Row> row, Values values) {
        return tables.write(SubscriptionStore.TABLE, partition(), Write.put(row, SubscriberKeys.COUNT, values))
                .written();
    }

    private Optional<Row> row() {
        return tables.get(SubscriptionStore.TABLE, partition(), SubscriberKeys.COUNT);
    }

    private String partition() {
        return SubscriberKeys.partition(list, shard);
    }

    private static boolean closed(Row row) {
        return row.values().bool(SubscriberKeys.CLOSED, false);
    }

    /**
     * The number of people who are Subscribed, and how often a person has become Subscribed or stopped being so. Exact,
     * unless an older version, which does not count this, has written the row.
     */
    public record Turnover(long subscribed, long joined, long left) {

        public static final Turnover NONE = new Turnover(0, 0, 0);

        private static final String JOINED = "Joined";
        private static final String LEFT = "Left";

        static Turnover from(Values values) {
            return new Turnover(values.number("Subscribed", 0), values.number(JOINED, 0), values.number(LEFT, 0));
        }

        /** @param change the change in the number of people who are Subscribed */
        Turnover after(long change) {
            return new Turnover(subscribed + change, joined + Math.max(0, change), left + Math.max(0, -change));
        }

        Turnover plus(Turnover other) {
            return new Turnover(subscribed + other.subscribed, joined + other.joined, left + other.left);
        }

        Values into(Values counts) {
            return counts.with(JOINED, joined).with(LEFT, left);
        }
    }
}

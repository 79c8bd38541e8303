package org.azuremail.subscription.store;

import java.util.Optional;
import org.azuremail.field.IndexMark;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Row;
import org.azuremail.storage.StorageException;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.jspecify.annotations.Nullable;

/**
 * The row that counts a shard's subscribers. It is part of every batch that adds or removes one, so it is the shard's gate:
 * whoever had read it before it was closed is refused, and finds it closed then. It stays behind when a deleted list's other
 * rows are removed, and a list created anew under the name opens it.
 */
public final class ShardCounts {

    private static final String INDEXED = "Indexed";

    private ShardCounts() {}

    /** The counts so far, to be changed under the ETag of the row. */
    public record Counted(
            @Nullable Row row, Turnover turnover, SubscriberCounts counts, boolean closed, IndexMark index) {

        /** With one more change. */
        public Counted after(SubscriberBatch batch) {
            SubscriberCounts changed = batch.applyTo(counts);
            return new Counted(row, turnover.after(changed.subscribed() - counts.subscribed()), changed, closed, index);
        }

        public Write write() {
            Values values = turnover.into(counts.toValues())
                    .with(SubscriberKeys.CLOSED, closed ? true : null)
                    .with(INDEXED, index.stored());
            return row == null ? Write.insert(SubscriberKeys.COUNT, values) : Write.replace(row, values);
        }
    }

    /**
     * For whoever is about to change it.
     *
     * @param adds whether somebody is to be added
     * @throws StorageException UNAVAILABLE when the shard is closed to them: its list was deleted after the caller had read it
     */
    static Counted toChange(TableStore tables, ListStore lists, ListName list, int shard, boolean adds) {
        Optional<Row> row = row(tables, list, shard);
        if (row.filter(ShardCounts::closed).isEmpty()) {
            return new Counted(row.orElse(null), turnover(row), counts(row), false, index(row));
        }
        if (lists.findActive(list).isPresent()) {
            return new Counted(row.get(), Turnover.NONE, SubscriberCounts.NONE, false, IndexMark.NONE);
        }
        if (adds) {
            throw new StorageException(
                    StorageException.Reason.UNAVAILABLE, "list " + list + " was deleted just now", null);
        }
        return new Counted(row.get(), turnover(row), counts(row), true, index(row));
    }

    /**
     * From now on everybody who is added is indexed like this, unless somebody decided otherwise since: batches that add
     * somebody carry the row as they read it, so that one which knows the older mark is refused.
     */
    public static void mark(TableStore tables, ListName list, int shard, IndexMark mark) {
        ConditionalWrites.untilKnownDone("index mark of " + list, () -> {
            Optional<Row> row = row(tables, list, shard);
            if (index(row).revision() >= mark.revision()) {
                return true;
            }
            Values values = row.map(Row::values).orElseGet(SubscriberCounts.NONE::toValues);
            return write(tables, list, shard, row, values.with(INDEXED, mark.stored()));
        });
    }

    /** The index entries of added people; {@link IndexMark#NONE} also where an older version has counted since. */
    public static IndexMark index(TableStore tables, ListName list, int shard) {
        return index(row(tables, list, shard));
    }

    private static IndexMark index(Optional<Row> row) {
        return IndexMark.read(row.map(found -> found.values().string(INDEXED)).orElse(null));
    }

    private static Turnover turnover(Optional<Row> row) {
        return row.map(Row::values).map(Turnover::from).orElse(Turnover.NONE);
    }

    private static SubscriberCounts counts(Optional<Row> row) {
        return row.map(Row::values).map(SubscriberCounts::from).orElse(SubscriberCounts.NONE);
    }

    /** Nobody is added to the shard from now on. Its counts stay, for those who ask how many are left. */
    public static void close(TableStore tables, ListName list, int shard) {
        Optional<Row> row = row(tables, list, shard);
        while (row.filter(ShardCounts::closed).isEmpty()) {
            Values values = row.map(Row::values)
                    .orElseGet(SubscriberCounts.NONE::toValues)
                    .with(SubscriberKeys.CLOSED, true);
            write(tables, list, shard, row, values);
            row = row(tables, list, shard);
        }
    }

    /** A closed shard's subscribers are removed. */
    public static void emptied(TableStore tables, ListName list, int shard) {
        Values none = SubscriberCounts.NONE.toValues().with(SubscriberKeys.CLOSED, true);
        row(tables, list, shard)
                .filter(ShardCounts::closed)
                .filter(row -> !row.values().equals(none))
                .ifPresent(row -> write(tables, list, shard, Optional.of(row), none));
    }

    /** Long after the list was removed: takes the closed row away, unless a list created anew has opened it. */
    public static void forget(TableStore tables, ListName list, int shard) {
        row(tables, list, shard)
                .filter(ShardCounts::closed)
                .ifPresent(
                        row -> tables.write(SubscriptionStore.TABLE, row.key().partition(), Write.delete(row)));
    }

    private static boolean write(TableStore tables, ListName list, int shard, Optional<Row> row, Values values) {
        Write write = Write.put(row, SubscriberKeys.COUNT, values);
        return tables.write(SubscriptionStore.TABLE, SubscriberKeys.partition(list, shard), write)
                .written();
    }

    private static Optional<Row> row(TableStore tables, ListName list, int shard) {
        return tables.get(SubscriptionStore.TABLE, SubscriberKeys.partition(list, shard), SubscriberKeys.COUNT);
    }

    private static boolean closed(Row row) {
        return row.values().bool(SubscriberKeys.CLOSED, false);
    }
}

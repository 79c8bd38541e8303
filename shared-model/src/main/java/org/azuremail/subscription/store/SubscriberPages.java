package org.azuremail.subscription.store;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.jspecify.annotations.Nullable;

/**
 * Reads all shards of a list together, page by page, in order of address or of a searchable field. A page reads a few
 * rows of each shard, all shards at the same time; their number does not depend on the size of the list. Each
 * subscriber who stays on the list during a walk appears in it exactly once.
 */
public record SubscriberPages(TableStore tables) {

    public static final int MAX_PAGE = 1000;

    /** The most rows of each shard that a page may skip to find subscribers in a state. */
    private static final int SCAN = 500;

    /** The number of rows that are converted at a time. */
    private static final int BATCH_SIZE = 50;

    /** The most rounds of a page. After them, a page ends even if it is empty, and the next one continues. */
    private static final int MAX_ROUNDS = 4;

    /** The most rounds of a page in an index, where each skipped row costs a separate read. */
    private static final int MAX_ROUNDS_IN_INDEX = 2;

    /**
     * Returns the next page of a walk.
     *
     * @param cursor the cursor of the previous page; {@code null} for the first
     * @param limit 1 to {@link #MAX_PAGE}
     * @throws IllegalArgumentException if the cursor is invalid
     */
    public Page<Subscriber> page(MailingList list, SubscriberFilter filter, @Nullable String cursor, int limit) {
        List<Subscriber> found = new ArrayList<>();
        String after = cursor == null ? null : decoded(filter, cursor);
        int rounds = filter.search() == null ? MAX_ROUNDS : MAX_ROUNDS_IN_INDEX;
        for (int round = 1; round <= rounds; round++) {
            Page<Subscriber> next = round(list, filter, after, limit - found.size());
            found.addAll(next.items());
            after = next.continuation();
            if (after == null || found.size() == limit) {
                break;
            }
        }
        return new Page<>(List.copyOf(found), after == null ? null : PersonDirectory.encoded(after));
    }

    /** Reads the next rows of every shard; they are complete up to the first unread row of any shard. */
    private Page<Subscriber> round(MailingList list, SubscriberFilter filter, @Nullable String after, int limit) {
        int share = MergedRows.rowsPerRange(limit, list.shards());
        int perShard = filter.states().isEmpty() ? share : filter.search() == null ? SCAN : share;
        List<KeyRange> ranges = new ArrayList<>();
        for (int shard = 0; shard < list.shards(); shard++) {
            ranges.addAll(ranges(SubscriberKeys.partition(list.name(), shard), filter, after));
        }
        return cut(list, MergedRows.next(tables, SubscriptionStore.TABLE, ranges, perShard), filter, limit);
    }

    /**
     * Converts only as many rows as the page needs. Many more may have been read, because any shard may hold the whole
     * page.
     */
    private Page<Subscriber> cut(MailingList list, MergedRows read, SubscriberFilter filter, int limit) {
        List<Row> rows = List.copyOf(read.rows().values());
        List<Subscriber> taken = new ArrayList<>();
        for (int from = 0; from < rows.size(); from += BATCH_SIZE) {
            List<Row> some = rows.subList(from, Math.min(rows.size(), from + BATCH_SIZE));
            List<Optional<Subscriber>> subscribers = subscribers(list.name(), filter, some);
            for (int i = 0; i < some.size(); i++) {
                subscribers.get(i).filter(filter::matches).ifPresent(taken::add);
                if (taken.size() == limit) {
                    boolean end = read.horizon() == null && from + i + 1 == rows.size();
                    return new Page<>(taken, end ? null : some.get(i).rowKey());
                }
            }
        }
        return new Page<>(taken, read.horizon());
    }

    /**
     * Returns the subscribers of rows; empty for an index row without one, which a process of an older version may have
     * left behind.
     */
    private List<Optional<Subscriber>> subscribers(ListName list, SubscriberFilter filter, List<Row> rows) {
        return filter.search() == null
                ? rows.stream()
                        .map(row -> Optional.of(SubscriberRow.subscriber(list, row.values())))
                        .toList()
                : IndexRows.subscribers(tables, list, rows);
    }

    private static List<KeyRange> ranges(String partition, SubscriberFilter filter, @Nullable String after) {
        if (filter.search() != null) {
            return List.of(filter.search().range(partition, after));
        }
        return filter.keyPrefixes().stream()
                .filter(prefix -> after == null || after.compareTo(KeyRange.afterPrefix(prefix)) < 0)
                .map(prefix -> KeyRange.prefixAfter(partition, prefix, after))
                .toList();
    }

    private static String decoded(SubscriberFilter filter, String cursor) {
        String rowKey = PersonDirectory.decoded(cursor);
        if (filter.search() != null) {
            return filter.search().requireOurs(rowKey);
        }
        if (filter.keyPrefixes().stream().noneMatch(rowKey::startsWith)) {
            throw new IllegalArgumentException("not a cursor");
        }
        return rowKey;
    }
}

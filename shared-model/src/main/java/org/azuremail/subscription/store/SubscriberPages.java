package org.azuremail.subscription.store;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.azuremail.list.MailingList;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.jspecify.annotations.Nullable;

/**
 * Shows a list over all its shards in order of address, page by page. A page reads a few rows of each shard, of all shards
 * side by side; how many does not depend on how many subscribers there are. Subscribers that stay are shown exactly once on a walk.
 */
public final class SubscriberPages {

    /** The most subscribers on one page. */
    public static final int MAX_PAGE = 1000;

    /** How many rows of each shard a page may skip over in search of a state. */
    private static final int SCAN = 500;

    /** How many such searches one page makes before it gives the cursor back, perhaps on an empty page. */
    private static final int MAX_ROUNDS = 4;

    private final TableStore tables;

    public SubscriberPages(TableStore tables) {
        this.tables = tables;
    }

    /**
     * A page.
     *
     * @param subscribers in order of address; may be fewer than asked for, even none, while there is a cursor
     * @param cursor opaque, goes into the next call; {@code null} at the end
     */
    public record Page(
            List<Subscriber> subscribers, @Nullable String cursor) {}

    /**
     * The next page of a walk.
     *
     * @param cursor of the page before; {@code null} for the first
     * @param limit 1 to {@link #MAX_PAGE}
     * @throws IllegalArgumentException when the cursor is none of ours
     */
    public Page page(MailingList list, SubscriberFilter filter, @Nullable String cursor, int limit) {
        List<Subscriber> found = new ArrayList<>();
        String after = cursor == null ? null : decoded(cursor);
        for (int round = 1; round <= MAX_ROUNDS; round++) {
            Round next = round(list, filter, after, limit - found.size());
            found.addAll(next.subscribers());
            after = next.after();
            if (after == null || found.size() == limit) {
                break;
            }
        }
        return new Page(List.copyOf(found), after == null ? null : encoded(after));
    }

    private record Round(
            List<Subscriber> subscribers, @Nullable String after) {}

    /** Reads the next rows of every shard; what lies before the first unread row of any shard is complete. */
    private Round round(MailingList list, SubscriberFilter filter, @Nullable String after, int limit) {
        int perShard = filter.states().isEmpty() ? perShard(limit, list.shards()) : SCAN;
        List<Supplier<RowPage>> reads = new ArrayList<>();
        for (int shard = 0; shard < list.shards(); shard++) {
            KeyRange range = range(SubscriberKeys.partition(list.name(), shard), filter, after);
            reads.add(() -> Rows.first(tables, SubscriptionStore.TABLE, range, perShard, null));
        }
        TreeMap<String, Row> read = new TreeMap<>();
        String horizon = null;
        for (RowPage page : tables.sideBySide(reads)) {
            page.rows().forEach(row -> read.put(row.rowKey(), row));
            if (!page.last() && !page.rows().isEmpty()) {
                String last = page.rows().get(page.rows().size() - 1).rowKey();
                horizon = horizon == null || last.compareTo(horizon) < 0 ? last : horizon;
            }
        }
        return cut(list, horizon == null ? read : read.headMap(horizon, true), filter, horizon, limit);
    }

    /**
     * A shard's share of a page and four times how far shares stray: addresses are spread over the shards by a hash. Once in
     * some hundred pages a shard has more, and the page takes a second round.
     */
    private static int perShard(int limit, int shards) {
        double share = (double) limit / shards;
        return Math.min(limit, (int) Math.ceil(share + 4 * Math.sqrt(share)) + 1);
    }

    /** Every shard may have the whole page, so that many more rows are read than shown: only these are made out. */
    private static Round cut(
            MailingList list,
            SortedMap<String, Row> complete,
            SubscriberFilter filter,
            @Nullable String horizon,
            int limit) {
        List<Subscriber> taken = new ArrayList<>();
        for (Row row : complete.values()) {
            Subscriber subscriber = SubscriberRow.subscriber(list.name(), row.values());
            if (filter.takes(subscriber)) {
                taken.add(subscriber);
            }
            if (taken.size() == limit) {
                boolean end = horizon == null && row.rowKey().equals(complete.lastKey());
                return new Round(taken, end ? null : row.rowKey());
            }
        }
        return new Round(taken, horizon);
    }

    private static KeyRange range(String partition, SubscriberFilter filter, @Nullable String after) {
        String prefix = SubscriberKeys.email(filter.prefix());
        return after == null || after.compareTo(prefix) < 0
                ? KeyRange.prefix(partition, prefix)
                : KeyRange.prefixAfter(partition, prefix, after);
    }

    private static String encoded(String rowKey) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(rowKey.getBytes(StandardCharsets.US_ASCII));
    }

    private static String decoded(String cursor) {
        String rowKey = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
        if (!rowKey.startsWith(SubscriberKeys.EMAIL)) {
            throw new IllegalArgumentException("not a cursor");
        }
        return KeyEscaper.requireKey(rowKey);
    }
}

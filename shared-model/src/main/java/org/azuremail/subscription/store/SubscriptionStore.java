package org.azuremail.subscription.store;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.store.ShardCounts.Turnover;
import org.azuremail.subscription.subscriber.DepartureReason;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.subscriber.SubscriberGuid;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.jspecify.annotations.Nullable;

/**
 * Reads subscribers by address or GUID in a constant number of point reads, or by pages in key order; it never reads a
 * whole list at once. All changes of subscribers go through {@code Subscriptions}. Safe for use from many threads.
 */
public record SubscriptionStore(TableStore tables) {

    public static final String TABLE = ListStore.TABLE;

    /** The most moves to follow. */
    private static final int MAX_FORWARDS = 20;

    /** Returns the subscriber with this address, in any state. One point read. */
    public Optional<Versioned<Subscriber>> find(MailingList list, EmailAddress address) {
        return find(list.name(), list.shardOf(address), address);
    }

    /**
     * Returns the subscriber with a link's GUID, even after moves to other addresses and lists:
     * {@link Subscriber#list()} is the present list. Two point reads, and one more for each move.
     */
    public Optional<Versioned<Subscriber>> find(ListName list, SubscriberGuid guid) {
        return follow(list, guid).map(LinkOwner::subscriber);
    }

    /**
     * The subscriber who owns a link.
     *
     * @param sameAddress whether the link was sent to the address that the subscriber has now
     */
    public record LinkOwner(Versioned<Subscriber> subscriber, boolean sameAddress) {}

    /**
     * Does the same as {@link #find(ListName, SubscriberGuid)}, for a page that must hide the address from the holder
     * of a link that was sent to another address.
     */
    public Optional<LinkOwner> follow(ListName list, SubscriberGuid guid) {
        GuidRow.Forward at = new GuidRow.Forward(list, guid, true);
        Optional<GuidRow> found = guidRow(list, guid);
        for (int hop = 0; hop < MAX_FORWARDS && found.isPresent(); hop++) {
            GuidRow.Forward forward = found.get().forward();
            Optional<GuidRow> next = forward == null ? Optional.empty() : guidRow(forward.list(), forward.guid());
            if (forward == null || next.isEmpty()) {
                return followed(at, found.get().address());
            }
            at = new GuidRow.Forward(forward.list(), forward.guid(), at.sameAddress() && forward.sameAddress());
            found = next;
        }
        return Optional.empty();
    }

    private Optional<LinkOwner> followed(GuidRow.Forward at, @Nullable EmailAddress address) {
        return address == null
                ? Optional.empty()
                : find(at.list(), at.guid().shard(), address)
                        .map(existing -> new LinkOwner(existing, at.sameAddress()));
    }

    /**
     * Returns a page of the subscribers of a shard, in every state, in order of row key.
     *
     * @param afterRowKey the last row key of the previous page, which is its continuation; {@code null} for the first
     *     page
     * @param limit 1 to 1,000
     */
    public Page<Subscriber> shardPage(ListName list, int shard, @Nullable String afterRowKey, int limit) {
        String partition = SubscriberKeys.partition(list, shard);
        KeyRange range = KeyRange.prefixAfter(partition, SubscriberKeys.EMAIL, afterRowKey);
        Page<Row> page = Rows.first(tables, TABLE, range, limit, null);
        List<Subscriber> subscribers = page.items().stream()
                .map(row -> SubscriberRow.subscriber(list, row.values()))
                .toList();
        return new Page<>(subscribers, Rows.nextAfter(page));
    }

    /**
     * Returns all subscribers of a shard, in every state, in order of row key. They are fetched page by page as the
     * stream is consumed.
     */
    public Stream<Subscriber> ofShard(ListName list, int shard) {
        return Rows.stream(tables, TABLE, KeyRange.prefix(SubscriberKeys.partition(list, shard), SubscriberKeys.EMAIL))
                .map(row -> SubscriberRow.subscriber(list, row.values()));
    }

    /**
     * Returns the people in a range of addresses who left and have not been Verified since, so that they must get no
     * email.
     *
     * @param from the first folded address in order of row key
     * @param to the last, inclusive
     * @return the reasons by folded address
     */
    public Map<String, DepartureReason> departuresIn(ListName list, int shard, String from, String to) {
        KeyRange range = KeyRange.rows(
                SubscriberKeys.partition(list, shard),
                SubscriberKeys.left(from),
                KeyRange.next(SubscriberKeys.left(to)));
        return Rows.stream(tables, TABLE, range)
                .collect(Collectors.toMap(
                        row -> KeyEscaper.unescape(row.rowKey().substring(SubscriberKeys.LEFT.length())),
                        row -> DepartureReason.of(row.values()),
                        (one, same) -> same));
    }

    /**
     * Returns which of these people in a shard are Subscribed under these SubscriberGUIDs. A different person with the
     * same address, perhaps on a list that was created anew, does not count. Takes one page for people with adjacent
     * addresses, and at most one for each person.
     */
    public Set<String> stillSubscribed(ListName list, int shard, Map<String, SubscriberGuid> guids) {
        TreeMap<String, String> wanted = new TreeMap<>();
        guids.keySet().forEach(folded -> wanted.put(SubscriberKeys.email(folded), folded));
        Set<String> subscribed = new HashSet<>();
        while (!wanted.isEmpty()) {
            KeyRange span = KeyRange.rows(
                    SubscriberKeys.partition(list, shard), wanted.firstKey(), KeyRange.next(wanted.lastKey()));
            Page<Row> page = Rows.first(tables, TABLE, span, Math.min(wanted.size(), TableStore.MAX_PAGE), null);
            for (Row row : page.items()) {
                String folded = wanted.get(row.rowKey());
                if (folded != null && isSubscribed(row, guids.get(folded))) {
                    subscribed.add(folded);
                }
            }
            if (page.last()) {
                break;
            }
            wanted.headMap(Rows.lastKey(page), true).clear();
        }
        return subscribed;
    }

    private static boolean isSubscribed(Row row, @Nullable SubscriberGuid guid) {
        return SubscriberRow.state(row.values()) == SubscriberState.SUBSCRIBED
                && guid != null
                && guid.value().equals(row.values().string("SubscriberGUID"));
    }

    /** Counts a list's subscribers in each state: one point read for each shard, all at the same time. */
    public SubscriberCounts counts(MailingList list) {
        return counts(List.of(list)).getOrDefault(list.name(), SubscriberCounts.NONE);
    }

    /**
     * Counts the subscribers of each of these lists in each state: one point read for each shard, all at the same time.
     */
    public Map<ListName, SubscriberCounts> counts(List<MailingList> lists) {
        return sums(lists, SubscriberCounts::from, SubscriberCounts::plus);
    }

    /**
     * Returns the number of people who are Subscribed to each of these lists, and how often people joined and left it,
     * in the same reads.
     */
    public Map<ListName, Turnover> turnover(List<MailingList> lists) {
        return sums(lists, Turnover::from, Turnover::plus);
    }

    private <T> Map<ListName, T> sums(List<MailingList> lists, Function<Values, T> part, BinaryOperator<T> plus) {
        List<Supplier<Map.Entry<ListName, T>>> reads = new ArrayList<>();
        for (MailingList list : lists) {
            for (int shard = 0; shard < list.shards(); shard++) {
                String partition = SubscriberKeys.partition(list.name(), shard);
                reads.add(() -> Map.entry(list.name(), part.apply(countRow(partition))));
            }
        }
        return tables.readInParallel(reads).stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, plus));
    }

    private Values countRow(String partition) {
        return tables.get(TABLE, partition, SubscriberKeys.COUNT)
                .map(Row::values)
                .orElse(Values.none());
    }

    public Optional<Versioned<Subscriber>> find(ListName list, int shard, EmailAddress address) {
        return tables.get(TABLE, SubscriberKeys.partition(list, shard), SubscriberKeys.email(address.folded()))
                .map(row -> SubscriberRow.subscriber(list, row));
    }

    public Optional<GuidRow> guidRow(ListName list, SubscriberGuid guid) {
        return tables.get(TABLE, SubscriberKeys.partition(list, guid.shard()), SubscriberKeys.guid(guid))
                .map(row -> GuidRow.of(list, row.values()));
    }
}

package org.azuremail.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.field.Field;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.subscription.store.GuidRow;
import org.azuremail.subscription.store.ShardChoreIndex;
import org.azuremail.subscription.store.SubscriberRow;
import org.azuremail.subscription.subscriber.Profile;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberCounts;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.subscription.subscriber.SubscriberState;

/** The invariants that hold in every shard after every batch, crash or not. */
public final class Invariants {

    private Invariants() {}

    public static void check(TableStore tables, MailingList list) {
        for (int shard = 0; shard < list.shards(); shard++) {
            String partition = SubscriberKeys.partition(list.name(), shard);
            checkShard(list, shard, Rows.all(tables, ListStore.TABLE, KeyRange.partition(partition)));
        }
        checkIndex(tables, list);
    }

    private static void checkShard(MailingList list, int shard, List<Row> rows) {
        SubscriberCounts counted = SubscriberCounts.NONE;
        SubscriberCounts stored = SubscriberCounts.NONE;
        Set<String> expected = new TreeSet<>();
        for (Row row : rows) {
            if (row.rowKey().equals(SubscriberKeys.COUNT)) {
                stored = SubscriberCounts.from(row.values());
            } else if (row.rowKey().startsWith(SubscriberKeys.EMAIL)) {
                Subscriber subscriber = SubscriberRow.subscriber(list.name(), row.values());
                counted = counted.plus(subscriber, 1);
                expected.addAll(satellites(subscriber));
                assertThat(subscriber.shard()).isEqualTo(shard).isEqualTo(list.shardOf(subscriber.address()));
                assertThat(row.rowKey()).isEqualTo(subscriber.rowKey());
            }
        }
        assertThat(stored).as("counts of shard %s", shard).isEqualTo(counted);
        assertThat(satelliteKeys(list, rows))
                .as("satellites of shard %s", shard)
                .isEqualTo(expected);
    }

    private static List<String> satellites(Subscriber subscriber) {
        List<String> keys = new ArrayList<>();
        String folded = subscriber.address().folded();
        if (subscriber.bookkeeping().leftAt() != null) {
            keys.add(SubscriberKeys.left(folded));
        }
        if (subscriber.bookkeeping().chore() != null) {
            keys.add(SubscriberKeys.waiting(folded));
        }
        if (subscriber.bookkeeping().movedTo() == null || subscriber.state() != SubscriberState.UNSUBSCRIBED) {
            keys.add(SubscriberKeys.guid(subscriber.guid()));
        }
        subscriber.bookkeeping().index().types().forEach((field, type) -> {
            Profile profile = subscriber.profile();
            String value = field.equals(Field.NAME)
                    ? profile.name()
                    : profile.attributes().getOrDefault(field, "");
            type.sortable(value).ifPresent(sortable -> keys.add(SubscriberKeys.index(field, sortable, folded)));
        });
        return keys;
    }

    /**
     * Returns the keys of satellite rows. Look-up rows that only forward are left out, because they remain permanently
     * without a subscriber.
     */
    private static Set<String> satelliteKeys(MailingList list, List<Row> rows) {
        return rows.stream()
                .filter(row -> !row.rowKey().startsWith("!") && !row.rowKey().startsWith(SubscriberKeys.EMAIL))
                .filter(row -> !row.rowKey().startsWith(SubscriberKeys.GUID)
                        || GuidRow.of(list.name(), row.values()).address() != null)
                .map(Row::rowKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Checks that {@code .active} names every shard with a {@code wait:} row. */
    private static void checkIndex(TableStore tables, MailingList list) {
        for (int shard = 0; shard < list.shards(); shard++) {
            String partition = SubscriberKeys.partition(list.name(), shard);
            boolean waits = !Rows.all(tables, ListStore.TABLE, KeyRange.prefix(partition, SubscriberKeys.WAIT))
                    .isEmpty();
            if (waits) {
                String key = new ShardChoreIndex.ShardRef(list.name(), shard).rowKey();
                assertThat(tables.get(ShardChoreIndex.TABLE, ShardChoreIndex.PARTITION, key))
                        .as("index row %s", key)
                        .isPresent();
            }
        }
    }
}

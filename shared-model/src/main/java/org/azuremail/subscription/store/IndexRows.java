package org.azuremail.subscription.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.field.Field;
import org.azuremail.field.IndexMark;
import org.azuremail.list.ListName;
import org.azuremail.storage.Row;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;

/**
 * The index rows of a subscriber: one for each value of a field in the mark. They depend only on the subscriber, so a
 * writer knows the rows before and after a change without reading them.
 */
public final class IndexRows {

    private static final String ADDRESS = "EmailAddress";

    private IndexRows() {}

    /** Returns the index rows by row key. */
    static Map<String, Write> of(Subscriber subscriber) {
        IndexMark mark = subscriber.bookkeeping().index();
        if (mark.types().isEmpty()) {
            return Map.of();
        }
        Map<String, String> values = new HashMap<>(subscriber.profile().attributes());
        values.put(Field.NAME, subscriber.profile().name());
        String folded = subscriber.address().folded();
        Map<String, Write> rows = new LinkedHashMap<>();
        mark.entries(values).forEach(entry -> {
            String key = SubscriberKeys.index(entry.getKey(), entry.getValue(), folded);
            boolean cut = SubscriberKeys.indexedAddress(key).isEmpty();
            rows.put(key, Write.upsert(key, cut ? Values.of(ADDRESS, folded) : Values.none()));
        });
        return rows;
    }

    private static String address(Row indexRow) {
        return SubscriberKeys.indexedAddress(indexRow.rowKey())
                .orElseGet(() -> indexRow.values().requireString(ADDRESS));
    }

    /**
     * Returns the subscribers of these rows, empty for a row without one. Takes one read each, all at the same time.
     */
    public static List<Optional<Subscriber>> subscribers(TableStore tables, ListName list, List<Row> indexRows) {
        List<Supplier<Optional<Subscriber>>> reads = new ArrayList<>();
        for (Row row : indexRows) {
            String key = SubscriberKeys.email(address(row));
            reads.add(() -> tables.get(SubscriptionStore.TABLE, row.key().partition(), key)
                    .map(found -> SubscriberRow.subscriber(list, found.values()))
                    .filter(subscriber -> of(subscriber).containsKey(row.rowKey())));
        }
        return tables.readInParallel(reads);
    }
}

package org.azuremail.subscription.store;

import java.util.Optional;
import org.azuremail.field.Field;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.jspecify.annotations.Nullable;

/**
 * A search for people by an indexed field, in the order of its values.
 *
 * @param field its name
 * @param from the first row key, inclusive
 * @param to the last, exclusive
 */
public record FieldSearch(String field, String from, String to) {

    /** Finds everybody with a value. */
    public static FieldSearch all(Field field) {
        return beginning(field.name(), "");
    }

    /** Finds values with a typed beginning; empty if no value of the field's type can have it. */
    public static Optional<FieldSearch> beginning(Field field, String typed) {
        return field.type().beginning(typed).map(sortable -> beginning(field.name(), sortable));
    }

    private static FieldSearch beginning(String field, String sortable) {
        String prefix = SubscriberKeys.indexBeginning(field, sortable);
        return new FieldSearch(field, prefix, KeyRange.afterPrefix(prefix));
    }

    /** @param after a row key of this search */
    KeyRange range(String partition, @Nullable String after) {
        return KeyRange.rows(partition, after == null ? from : KeyRange.next(after), to);
    }

    /** @throws IllegalArgumentException if the key does not belong to this search */
    String requireOurs(String rowKey) {
        if (rowKey.compareTo(from) < 0 || rowKey.compareTo(to) >= 0) {
            throw new IllegalArgumentException("not a cursor");
        }
        return KeyEscaper.requireKey(rowKey);
    }
}

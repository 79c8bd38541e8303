package org.azuremail.subscription.store;

import java.text.Normalizer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.azuremail.field.Field;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberKeys;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.jspecify.annotations.Nullable;

/**
 * Selects subscribers of a list.
 *
 * @param prefix the beginning of the address, in any case; empty for all
 * @param states the states to include; empty for all
 * @param moved whether to include only people who moved, or only the others; {@code null} for both
 * @param search finds and sorts subscribers by a field; {@code null} to use the address
 */
public record SubscriberFilter(
        String prefix,
        Set<SubscriberState> states,
        @Nullable Boolean moved,
        @Nullable FieldSearch search) {

    public static final SubscriberFilter ALL = new SubscriberFilter("", Set.of());

    public SubscriberFilter(String prefix, Set<SubscriberState> states) {
        this(prefix, states, null, null);
    }

    public SubscriberFilter {
        prefix = EmailAddress.fold(prefix.strip());
        states = Set.copyOf(states);
    }

    /** Returns the beginnings of the row keys: addresses stay as typed, so an accent may be a character of its own. */
    List<String> keyPrefixes() {
        return Stream.of(
                        prefix,
                        Normalizer.normalize(prefix, Normalizer.Form.NFC),
                        Normalizer.normalize(prefix, Normalizer.Form.NFD))
                .map(SubscriberKeys::email)
                .distinct()
                .toList();
    }

    public SubscriberFilter by(FieldSearch other) {
        return new SubscriberFilter("", states, moved, other);
    }

    boolean matches(Subscriber subscriber) {
        boolean exists = moved == null || moved == subscriber.movedTo().isPresent();
        return exists && (states.isEmpty() || states.contains(subscriber.state()));
    }

    /**
     * A search for people by an indexed field, in the order of its values.
     *
     * @param from the first row key, inclusive
     * @param to the last row key, exclusive
     */
    public record FieldSearch(String field, String from, String to) {

        /** Returns a search for everyone with a value. */
        public static FieldSearch all(Field field) {
            return beginning(field.name(), "");
        }

        /** Returns a search for values with a typed beginning; empty if no value of the field's type can have it. */
        public static Optional<FieldSearch> beginning(Field field, String typed) {
            return field.type().searchPrefix(typed).map(sortable -> beginning(field.name(), sortable));
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
}

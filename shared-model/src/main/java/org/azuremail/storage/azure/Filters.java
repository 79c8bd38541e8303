package org.azuremail.storage.azure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.KeyRange;
import org.jspecify.annotations.Nullable;

/** Converts key ranges to OData filters. */
final class Filters {

    /** Sorts after every character that a key may have. Azure accepts it neither in keys nor reliably in filters. */
    private static final char AFTER_ALL = '\u007f';

    private Filters() {}

    /** Returns the filter of a range: an empty text for all rows, or nothing if no key can be in the range. */
    static Optional<String> of(KeyRange range) {
        List<String> conditions = new ArrayList<>();
        boolean possible;
        if (range.single()) {
            conditions.add("PartitionKey eq " + quoted(String.valueOf(range.fromPartition())));
            possible = bounds(conditions, "RowKey", range.fromRow(), range.toRow());
        } else {
            possible = bounds(conditions, "PartitionKey", range.fromPartition(), range.toPartition());
        }
        return possible ? Optional.of(String.join(" and ", conditions)) : Optional.empty();
    }

    private static boolean bounds(
            List<String> conditions, String property, @Nullable String from, @Nullable String to) {
        String first = from == null ? "" : inKeys(from);
        if (first == null) {
            return false;
        }
        if (!first.isEmpty()) {
            conditions.add(property + " ge " + quoted(first));
        }
        String end = to == null ? null : inKeys(to);
        if (end != null) {
            conditions.add(property + " lt " + quoted(end));
        }
        return true;
    }

    /**
     * Returns an equivalent bound that contains only characters allowed in keys, or {@code null} if it is after all
     * keys. For example, {@code b} is after all keys that begin with {@code a~}.
     */
    private static @Nullable String inKeys(String bound) {
        int after = bound.indexOf(AFTER_ALL);
        if (after < 0) {
            return bound;
        }
        return after == 0 ? null : inKeys(KeyRange.afterPrefix(bound.substring(0, after)));
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}

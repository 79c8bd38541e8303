package org.azuremail.storage.azure;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.storage.KeyRange;
import org.jspecify.annotations.Nullable;

/** Key ranges as OData filters. */
final class Filters {

    /** Behind every character that a key may have; Azure takes it neither in keys nor, for sure, in filters. */
    private static final char BEHIND_ALL = '\u007f';

    private Filters() {}

    /** The filter of a range, an empty one for everything; nothing when no key can lie in the range. */
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
        if (from != null && from.charAt(0) == BEHIND_ALL) {
            return false;
        }
        if (from != null) {
            conditions.add(property + " ge " + quoted(inKeys(from)));
        }
        if (to != null && to.charAt(0) != BEHIND_ALL) {
            conditions.add(property + " lt " + quoted(inKeys(to)));
        }
        return true;
    }

    /** The bound of the same keys that is made of keys' characters: behind {@code a~…} comes {@code b}. */
    private static String inKeys(String bound) {
        int behind = bound.indexOf(BEHIND_ALL);
        return behind < 0 ? bound : inKeys(KeyRange.afterPrefix(bound.substring(0, behind)));
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}

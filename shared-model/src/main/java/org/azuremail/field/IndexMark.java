package org.azuremail.field;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The indexed fields of a row. In a subscriber's row, these fields have index rows; in the count row of a shard, they
 * get index rows for new subscribers. Only a mark of a higher revision may replace another one.
 *
 * @param types the types of the indexed fields, by name
 */
public record IndexMark(long revision, Map<String, FieldType> types) {

    /** The mark of rows that were never indexed, or that an older version wrote. */
    public static final IndexMark NONE = new IndexMark(0, Map.of());

    public IndexMark {
        types = Map.copyOf(types);
    }

    /** Returns the text in rows, for {@link #read}; {@code null} if nothing was ever indexed. */
    public @Nullable String stored() {
        return revision == 0
                ? null
                : revision + ";"
                        + new TreeMap<>(types)
                                .entrySet().stream()
                                        .map(field -> field.getKey() + "="
                                                + field.getValue().code())
                                        .collect(Collectors.joining(","));
    }

    /** Reads a mark, but omits fields of unknown types, for which this version writes no index rows. */
    public static IndexMark read(@Nullable String stored) {
        if (stored == null) {
            return NONE;
        }
        int end = stored.indexOf(';');
        Map<String, FieldType> types = new TreeMap<>();
        for (String field : stored.substring(end + 1).split(",")) {
            int equals = field.indexOf('=');
            Optional<FieldType> type = equals < 0 ? Optional.empty() : FieldType.ofCode(field.charAt(equals + 1));
            type.ifPresent(known -> types.put(field.substring(0, equals), known));
        }
        return new IndexMark(Long.parseLong(stored.substring(0, end)), types);
    }

    /** Returns this mark without the fields that the other one does not have in the same type. */
    public IndexMark within(IndexMark other) {
        Map<String, FieldType> kept = new TreeMap<>(types);
        kept.entrySet().retainAll(other.types.entrySet());
        return new IndexMark(revision, kept);
    }

    /** Returns the index entries of a person: each a field and the sortable form of the value. */
    public List<Map.Entry<String, String>> entries(Map<String, String> values) {
        List<Map.Entry<String, String>> entries = new ArrayList<>();
        types.forEach((name, type) -> type.sortable(values.getOrDefault(name, ""))
                .ifPresent(sortable -> entries.add(Map.entry(name, sortable))));
        return entries;
    }
}

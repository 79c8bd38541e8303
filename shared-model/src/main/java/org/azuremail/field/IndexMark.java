package org.azuremail.field;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Says beside a subscriber which of their values have index rows, and beside a shard which new subscribers get. Only a mark of
 * a higher revision may take the place of another one.
 *
 * @param types of the indexed fields, by name
 */
public record IndexMark(long revision, Map<String, FieldType> types) {

    /** Of rows that nobody has indexed, or that a version wrote which does not index. */
    public static final IndexMark NONE = new IndexMark(0, Map.of());

    public IndexMark {
        types = Map.copyOf(types);
    }

    /** For rows: {@link #read} gives it back; {@code null} where nothing was ever indexed. */
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

    /** A field of a type that only a later version knows is left out: this one writes no index rows of it. */
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

    /** Returns this mark without the fields that another one does not have, or has in another type. */
    public IndexMark within(IndexMark other) {
        Map<String, FieldType> kept = new TreeMap<>(types);
        kept.entrySet().retainAll(other.types.entrySet());
        return new IndexMark(revision, kept);
    }

    /** An index entry of a person: the field and the sortable form of the value. */
    public List<Map.Entry<String, String>> entries(Map<String, String> values) {
        List<Map.Entry<String, String>> entries = new ArrayList<>();
        types.forEach((name, type) -> type.sortable(values.getOrDefault(name, ""))
                .ifPresent(sortable -> entries.add(Map.entry(name, sortable))));
        return entries;
    }
}

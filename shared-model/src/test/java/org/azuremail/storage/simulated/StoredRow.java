package org.azuremail.storage.simulated;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.azuremail.storage.Key;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;

/** A row as it is kept in memory. */
interface StoredRow {

    String etag();

    Row row();

    /** Returns the fastest form, which is the row itself. */
    static Function<Row, StoredRow> whole() {
        return Whole::new;
    }

    /**
     * Returns a form that takes less than half of the memory, in which rows with the same properties share the names.
     */
    static Function<Row, StoredRow> packed() {
        Map<List<String>, List<String>> names = new HashMap<>();
        return row -> {
            Map<String, Object> values = row.values().asMap();
            List<String> known = names.computeIfAbsent(List.copyOf(values.keySet()), same -> same);
            return new Packed(row.key(), row.etag(), known, values.values().toArray());
        };
    }

    /** The row itself. */
    record Whole(Row row) implements StoredRow {
        @Override
        public String etag() {
            return row.etag();
        }
    }

    /** The row without its map. */
    @SuppressWarnings("ArrayRecordComponent")
    record Packed(Key key, String etag, List<String> names, Object[] values) implements StoredRow {
        @Override
        public Row row() {
            Values.Builder unpacked = Values.builder();
            for (int i = 0; i < values.length; i++) {
                unpacked.put(names.get(i), values[i]);
            }
            return new Row(key, etag, unpacked.build());
        }
    }
}

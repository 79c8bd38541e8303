package org.azuremail.storage.simulated;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** Divides sorted entries into pages. If empty pages are enabled, every other page is empty. */
record Paging(int pageLimit, boolean emptyPages) {

    private static final String AFTER_EMPTY = "e:";
    private static final String AFTER_FULL = "f:";

    /** A page of entries; the continuation is {@code null} at the end. */
    record Page<V>(List<V> entries, @Nullable String continuation) {}

    /**
     * Returns the page at a continuation.
     *
     * @param entries the entries in the range, sorted by a text
     */
    <V> Page<V> page(NavigableMap<String, V> entries, int limit, @Nullable String continuation) {
        String after = continuation == null ? "" : continuation.substring(AFTER_FULL.length());
        if (emptyPages && (continuation == null || continuation.startsWith(AFTER_FULL))) {
            return new Page<>(List.of(), AFTER_EMPTY + after);
        }
        NavigableMap<String, V> rest = after.isEmpty() ? entries : entries.tailMap(after, false);
        List<V> page = new ArrayList<>();
        String last = "";
        for (Map.Entry<String, V> entry : rest.entrySet()) {
            if (page.size() == Math.min(limit, pageLimit)) {
                return new Page<>(page, AFTER_FULL + last);
            }
            page.add(entry.getValue());
            last = entry.getKey();
        }
        return new Page<>(page, null);
    }
}

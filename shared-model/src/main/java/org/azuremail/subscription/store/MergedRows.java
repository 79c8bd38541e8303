package org.azuremail.subscription.store;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.jspecify.annotations.Nullable;

/**
 * The next rows of several ranges together, in order of row key, so that several partitions are read like one. All
 * ranges are read at the same time, so the amount read does not depend on the amount stored.
 *
 * @param rows complete up to the horizon
 * @param horizon the last row key up to which every range was read; {@code null} if no rows follow these
 */
record MergedRows(SortedMap<String, Row> rows, @Nullable String horizon) {

    /**
     * Reads the next rows.
     *
     * @param ranges ranges whose row keys differ from each other's
     * @param perRange the most rows of one range
     */
    public static MergedRows next(TableStore tables, String table, List<KeyRange> ranges, int perRange) {
        List<Supplier<Page<Row>>> reads = new ArrayList<>();
        ranges.forEach(range -> reads.add(() -> Rows.first(tables, table, range, perRange, null)));
        TreeMap<String, Row> read = new TreeMap<>();
        String horizon = null;
        for (Page<Row> page : tables.readInParallel(reads)) {
            page.items().forEach(row -> read.put(row.rowKey(), row));
            if (!page.last() && !page.items().isEmpty()) {
                String last = Rows.lastKey(page);
                horizon = horizon == null || last.compareTo(horizon) < 0 ? last : horizon;
            }
        }
        return new MergedRows(horizon == null ? read : read.headMap(horizon, true), horizon);
    }

    /**
     * Returns how many rows of each range are usually enough for a page, if a hash spreads the rows over the ranges:
     * the mean share plus four standard deviations. Once in some hundred pages a range has more, and the page takes a
     * second round.
     */
    public static int rowsPerRange(int limit, int ranges) {
        double share = (double) limit / ranges;
        return Math.min(limit, (int) Math.ceil(share + 4 * Math.sqrt(share)) + 1);
    }
}

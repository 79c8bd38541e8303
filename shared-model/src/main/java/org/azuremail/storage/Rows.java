package org.azuremail.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

public final class Rows {

    private Rows() {}

    /** Returns all rows of a range. Pages are fetched as the stream is consumed, never all held in memory. */
    public static Stream<Row> stream(TableStore tables, String table, KeyRange range) {
        return Page.stream(continuation -> tables.query(table, range, TableStore.MAX_PAGE, continuation));
    }

    /** Returns all rows of a range that is known to be short. */
    public static List<Row> all(TableStore tables, String table, KeyRange range) {
        return stream(tables, table, range).toList();
    }

    /** Deletes every row of a range of one partition in batches, including rows that are added while it runs. */
    public static void deleteAll(TableStore tables, String table, KeyRange range) {
        List<Row> rows = first(tables, table, range, TableStore.MAX_BATCH, null).items();
        while (!rows.isEmpty()) {
            List<Write> deletes =
                    rows.stream().map(row -> Write.delete(row.rowKey())).toList();
            tables.write(table, rows.get(0).key().partition(), deletes);
            rows = first(tables, table, range, TableStore.MAX_BATCH, null).items();
        }
    }

    /**
     * Returns the first rows of a range: {@code limit} rows, or fewer if the range ends earlier. Queries again after
     * short pages.
     *
     * @return the rows and the continuation after them
     */
    public static Page<Row> first(
            TableStore tables, String table, KeyRange range, int limit, @Nullable String continuation) {
        List<Row> rows = new ArrayList<>();
        String next = continuation;
        do {
            Page<Row> page = tables.query(table, range, Math.min(limit - rows.size(), TableStore.MAX_PAGE), next);
            rows.addAll(page.items());
            next = page.continuation();
        } while (next != null && rows.size() < limit);
        return new Page<>(rows, next);
    }

    /** Returns the row key after which the next page of {@link #first} begins; {@code null} after the last page. */
    public static @Nullable String nextAfter(Page<Row> page) {
        return page.last() ? null : lastKey(page);
    }

    /** Returns the row key of the last row of a page, which must not be empty. */
    public static String lastKey(Page<Row> page) {
        return page.items().get(page.items().size() - 1).rowKey();
    }
}

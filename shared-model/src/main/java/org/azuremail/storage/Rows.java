package org.azuremail.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

public final class Rows {

    private Rows() {}

    /** Returns all rows of a range. Pages are fetched as the stream is consumed, never all held in memory. */
    public static Stream<Row> stream(TableStore tables, String table, KeyRange range) {
        return Page.stream(continuation -> {
            RowPage page = tables.query(table, range, TableStore.MAX_PAGE, continuation);
            return new Page<>(page.rows(), page.continuation());
        });
    }

    /** Returns all rows of a range that is known to be short. */
    public static List<Row> all(TableStore tables, String table, KeyRange range) {
        return stream(tables, table, range).toList();
    }

    /** Deletes every row of a range of one partition in batches, including rows that are added while it runs. */
    public static void deleteAll(TableStore tables, String table, KeyRange range) {
        List<Row> rows = first(tables, table, range, TableStore.MAX_BATCH, null).rows();
        while (!rows.isEmpty()) {
            List<Write> deletes =
                    rows.stream().map(row -> Write.delete(row.rowKey())).toList();
            tables.write(table, rows.get(0).key().partition(), deletes);
            rows = first(tables, table, range, TableStore.MAX_BATCH, null).rows();
        }
    }

    /**
     * Returns the first rows of a range: {@code limit} rows, or fewer if the range ends earlier. Queries again after
     * short pages.
     *
     * @return the rows and the continuation after them
     */
    public static RowPage first(
            TableStore tables, String table, KeyRange range, int limit, @Nullable String continuation) {
        List<Row> rows = new ArrayList<>();
        String next = continuation;
        do {
            RowPage page = tables.query(table, range, Math.min(limit - rows.size(), TableStore.MAX_PAGE), next);
            rows.addAll(page.rows());
            next = page.continuation();
        } while (next != null && rows.size() < limit);
        return new RowPage(rows, next);
    }
}

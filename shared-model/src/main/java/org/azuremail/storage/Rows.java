package org.azuremail.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

public final class Rows {

    private Rows() {}

    /** All rows of a range, fetched page by page as the stream is consumed; never held whole. */
    public static Stream<Row> stream(TableStore tables, String table, KeyRange range) {
        return Page.stream(continuation -> {
            RowPage page = tables.query(table, range, TableStore.MAX_PAGE, continuation);
            return new Page<>(page.rows(), page.continuation());
        });
    }

    /** All rows of a range that is known to be short. */
    public static List<Row> all(TableStore tables, String table, KeyRange range) {
        return stream(tables, table, range).toList();
    }

    /**
     * The first rows of a range: at least one when there is any, at most {@code limit}; short pages are filled up.
     *
     * @return the rows and the continuation behind them
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

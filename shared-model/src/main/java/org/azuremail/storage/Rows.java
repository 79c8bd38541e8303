package org.azuremail.storage;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Walks queries page by page, so that nobody writes that loop again. */
public final class Rows {

    private Rows() {}

    /** All rows of a range, fetched page by page as the stream is consumed; never held whole. */
    public static Stream<Row> stream(TableStore tables, String table, KeyRange range) {
        Iterable<Row> rows = () -> new PagedIterator(tables, table, range);
        return StreamSupport.stream(rows.spliterator(), false);
    }

    /** All rows of a range that is known to be short. */
    public static List<Row> all(TableStore tables, String table, KeyRange range) {
        List<Row> rows = new ArrayList<>();
        String continuation = null;
        do {
            RowPage page = tables.query(table, range, TableStore.MAX_PAGE, continuation);
            rows.addAll(page.rows());
            continuation = page.continuation();
        } while (continuation != null);
        return rows;
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

    private static final class PagedIterator implements Iterator<Row> {

        private final TableStore tables;
        private final String table;
        private final KeyRange range;
        private Iterator<Row> page = List.<Row>of().iterator();
        private @Nullable String continuation;
        private boolean started;

        PagedIterator(TableStore tables, String table, KeyRange range) {
            this.tables = tables;
            this.table = table;
            this.range = range;
        }

        @Override
        public boolean hasNext() {
            while (!page.hasNext() && (!started || continuation != null)) {
                RowPage next = tables.query(table, range, TableStore.MAX_PAGE, continuation);
                started = true;
                page = next.rows().iterator();
                continuation = next.continuation();
            }
            return page.hasNext();
        }

        @Override
        public Row next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            return page.next();
        }
    }
}

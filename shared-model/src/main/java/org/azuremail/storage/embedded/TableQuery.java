package org.azuremail.storage.embedded;

import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.jspecify.annotations.Nullable;

/**
 * A range as SQL. Keys are printable ASCII, so the empty text lies before and DEL behind all of them, and two shapes of
 * statement do for every range.
 *
 * @param from first partition, or the only one
 * @param fromRow first row, inclusive
 * @param to bound behind the last row, or behind the last partition
 */
record TableQuery(String sql, String from, String fromRow, String to) {

    private static final String AFTER_ALL = "\u007f";

    static TableQuery of(String table, KeyRange range, @Nullable String continuation) {
        String from = range.fromPartition() == null ? "" : range.fromPartition();
        String fromRow = range.fromRow() == null ? "" : range.fromRow();
        if (continuation != null) {
            int space = continuation.indexOf(' ');
            from = continuation.substring(0, space);
            fromRow = KeyRange.next(continuation.substring(space + 1));
        }
        String to = range.single() ? range.toRow() : range.toPartition();
        return new TableQuery(sql(table, range.single()), from, fromRow, to == null ? AFTER_ALL : to);
    }

    private static String sql(String table, boolean single) {
        String condition = single ? "p = ? AND r >= ? AND r < ?" : "(p, r) >= (?, ?) AND p < ?";
        return "SELECT p, r, e, v FROM " + table + " WHERE " + condition + " ORDER BY p, r LIMIT ?";
    }

    Object[] arguments(int limit) {
        return new Object[] {from, fromRow, to, limit};
    }

    static String continuation(Row last) {
        return last.key().partition() + " " + last.rowKey();
    }
}

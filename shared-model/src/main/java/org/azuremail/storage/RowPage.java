package org.azuremail.storage;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a query. An empty page is not necessarily the last one: only a missing continuation marks the end.
 *
 * @param continuation an opaque value for the next call with the same range; {@code null} at the end
 */
public record RowPage(List<Row> rows, @Nullable String continuation) {

    /** Returns the same page with its rows converted. */
    public <T> Page<T> map(Function<Row, T> reader) {
        return new Page<>(rows.stream().map(reader).toList(), continuation);
    }

    public boolean last() {
        return continuation == null;
    }

    /** Returns the row key after which the next page of {@link Rows#first} begins; {@code null} after the last one. */
    public @Nullable String nextAfter() {
        return last() ? null : lastKey();
    }

    /** Returns the row key of the last row of this page, which must not be empty. */
    public String lastKey() {
        return rows.get(rows.size() - 1).rowKey();
    }
}

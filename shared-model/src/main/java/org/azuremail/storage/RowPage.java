package org.azuremail.storage;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One page of a query. A page may be empty and still continue: only a missing continuation means the end.
 *
 * @param continuation opaque, goes into the next call with the same range; {@code null} at the end
 */
public record RowPage(List<Row> rows, @Nullable String continuation) {

    /** The same page with its rows converted. */
    public <T> Page<T> map(Function<Row, T> reader) {
        return new Page<>(rows.stream().map(reader).toList(), continuation);
    }

    public boolean last() {
        return continuation == null;
    }

    /** The key of the last row of this page, which must not be empty. */
    public String lastKey() {
        return rows.get(rows.size() - 1).rowKey();
    }
}

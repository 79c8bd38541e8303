package org.azuremail.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a query. A page may be empty and still continue: only a missing continuation says that the end was
 * reached.
 *
 * @param continuation opaque, goes into the next call with the same range; {@code null} at the end
 */
public record RowPage(List<Row> rows, @Nullable String continuation) {

    public boolean last() {
        return continuation == null;
    }
}

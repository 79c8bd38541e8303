package org.azuremail.storage;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A change of one row. It is always part of a batch within one partition. */
public sealed interface Write {

    String rowKey();

    /** Returns the new properties of the row; empty for a delete. */
    Values values();

    /** Creates a row, which must not exist yet. */
    record Insert(String rowKey, Values values) implements Write {}

    /** Replaces all properties of a row, which must still have this ETag. */
    record Replace(String rowKey, Values values, String etag) implements Write {}

    /** Creates a row, or replaces it whatever its ETag is. */
    record Upsert(String rowKey, Values values) implements Write {}

    /** Deletes a row. The row must exist and, unless the ETag is {@link #ANY}, must still have that ETag. */
    record Delete(String rowKey, String etag) implements Write {
        @Override
        public Values values() {
            return Values.none();
        }
    }

    /** Matches every ETag in a {@link Delete}. */
    String ANY = "*";

    static Write insert(String rowKey, Values values) {
        return new Insert(rowKey, values);
    }

    static Write replace(Row row, Values values) {
        return new Replace(row.rowKey(), values, row.etag());
    }

    /** Replaces the row that was read, or creates it if none was found. */
    static Write put(Optional<Row> read, String rowKey, Values values) {
        return read.map(row -> replace(row, values)).orElseGet(() -> insert(rowKey, values));
    }

    /** Replaces the row if it still has this ETag, or creates it if there is none. */
    static Write put(@Nullable String etag, String rowKey, Values values) {
        return etag == null ? insert(rowKey, values) : new Replace(rowKey, values, etag);
    }

    static Write upsert(String rowKey, Values values) {
        return new Upsert(rowKey, values);
    }

    static Write delete(String rowKey) {
        return new Delete(rowKey, ANY);
    }

    static Write delete(Row row) {
        return new Delete(row.rowKey(), row.etag());
    }
}

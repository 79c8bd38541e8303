package org.azuremail.storage;

import java.util.Optional;

/** One change of one row, always part of a batch inside one partition. */
public sealed interface Write {

    /** The row that is changed. */
    String rowKey();

    /** Makes a row that must not exist yet. */
    record Insert(String rowKey, Values values) implements Write {}

    /** Replaces all properties of a row that must still be at this ETag. */
    record Replace(String rowKey, Values values, String etag) implements Write {}

    /** Makes or replaces a row, whatever is there. */
    record Upsert(String rowKey, Values values) implements Write {}

    /** Removes a row that must exist and, unless the ETag is {@link #ANY}, must still be at it. */
    record Delete(String rowKey, String etag) implements Write {}

    /** Stands for every ETag in a {@link Delete}. */
    String ANY = "*";

    static Write insert(String rowKey, Values values) {
        return new Insert(rowKey, values);
    }

    static Write replace(Row row, Values values) {
        return new Replace(row.rowKey(), values, row.etag());
    }

    /** Replaces the row that was read, or makes it where there was none. */
    static Write put(Optional<Row> read, String rowKey, Values values) {
        return read.map(row -> replace(row, values)).orElseGet(() -> insert(rowKey, values));
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

package org.azuremail.storage;

import java.util.Optional;
import java.util.function.Function;

/**
 * Single-row conditional writes that survive a lost answer: after a refusal the row is read again, and a row that holds
 * exactly what was to be written counts as written.
 */
public final class ConditionalWrites {

    private ConditionalWrites() {}

    /** Replaces a row that must still be at the ETag. */
    public static <T> Saved<T> replace(
            TableStore tables, String table, Key key, Values values, String etag, Function<Values, T> reader) {
        WriteResult result = tables.write(table, key.partition(), new Write.Replace(key.row(), values, etag));
        return decide(tables, table, key, values, result, reader);
    }

    /** Inserts a row; one that is there already with other values is a conflict. */
    public static <T> Saved<T> insert(
            TableStore tables, String table, Key key, Values values, Function<Values, T> reader) {
        WriteResult result = tables.write(table, key.partition(), Write.insert(key.row(), values));
        return decide(tables, table, key, values, result, reader);
    }

    private static <T> Saved<T> decide(
            TableStore tables, String table, Key key, Values values, WriteResult result, Function<Values, T> reader) {
        if (result instanceof WriteResult.Written written) {
            return new Saved.Done<>(new Versioned<>(reader.apply(values), written.etag()));
        }
        Optional<Row> current = tables.get(table, key);
        if (current.isEmpty()) {
            return new Saved.Missing<>();
        }
        Versioned<T> now = new Versioned<>(
                reader.apply(current.get().values()), current.get().etag());
        return current.get().values().equals(values) ? new Saved.Done<>(now) : new Saved.Conflict<>(now);
    }
}

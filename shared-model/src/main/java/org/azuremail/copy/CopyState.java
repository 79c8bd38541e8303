package org.azuremail.copy;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.jspecify.annotations.Nullable;

/** The marks of copies from and to a storage, in partition {@code copy} of its table {@code work}. */
final class CopyState {

    static final String TABLE = "work";
    static final String PARTITION = "copy";

    private static final Key DEPARTURE = new Key(PARTITION, "!to");
    private static final Key ARRIVAL = new Key(PARTITION, "!from");
    private static final String START = "start";
    private static final int ROWS = 10;

    private final TableStore tables;

    CopyState(Storage storage) {
        this.tables = storage.tables();
        tables.createTable(TABLE);
    }

    /** Both marks, and the time at which a process last started on this storage. */
    record Found(
            @Nullable Versioned<Departure> departure,
            @Nullable Versioned<Arrival> arrival,
            @Nullable Instant startedAt) {}

    Found read() {
        RowPage page = Rows.first(tables, TABLE, KeyRange.partition(PARTITION), ROWS, null);
        return new Found(
                find(page, DEPARTURE, Departure::of),
                find(page, ARRIVAL, Arrival::of),
                page.rows().stream()
                        .filter(row -> row.rowKey().equals(START))
                        .map(row -> row.values().instant("At"))
                        .findFirst()
                        .orElse(null));
    }

    private static <T> @Nullable Versioned<T> find(RowPage page, Key key, Function<Values, T> reader) {
        for (Row row : page.rows()) {
            if (row.key().equals(key)) {
                return new Versioned<>(reader.apply(row.values()), row.etag());
            }
        }
        return null;
    }

    void startedAt(Instant now) {
        tables.write(TABLE, PARTITION, Write.upsert(START, Values.of("At", now)));
    }

    Optional<Versioned<Departure>> insert(Departure departure) {
        return ConditionalWrites.insert(tables, TABLE, DEPARTURE, departure.values(), Departure::of)
                .done();
    }

    Optional<Versioned<Departure>> replace(Versioned<Departure> before, Departure after) {
        return ConditionalWrites.replace(tables, TABLE, DEPARTURE, after.values(), before.etag(), Departure::of)
                .done();
    }

    /** Removes a departure, unless it was changed. */
    void remove(Versioned<Departure> departure) {
        tables.write(TABLE, PARTITION, new Write.Delete(DEPARTURE.row(), departure.etag()));
    }

    Optional<Versioned<Arrival>> insert(Arrival arrival) {
        return ConditionalWrites.insert(tables, TABLE, ARRIVAL, arrival.values(), Arrival::of)
                .done();
    }

    Saved<Arrival> replace(Versioned<Arrival> before, Arrival after) {
        return ConditionalWrites.replace(tables, TABLE, ARRIVAL, after.values(), before.etag(), Arrival::of);
    }
}

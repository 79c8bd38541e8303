package org.azuremail.copy;

import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;
import org.jspecify.annotations.Nullable;

/** The marks of copies from and to a storage, in partition {@code copy} of its table {@code work}. */
final class CopyMarks {

    static final String TABLE = "work";
    static final String PARTITION = "copy";

    private static final Key DEPARTURE = new Key(PARTITION, "!to");
    private static final Key ARRIVAL = new Key(PARTITION, "!from");
    private static final String START = "start";
    private static final int ROWS = 10;

    private final TableStore tables;

    CopyMarks(Storage storage) {
        this.tables = storage.tables();
        tables.createTable(TABLE);
    }

    /** Both marks, and the time at which a process last started on this storage. */
    record Marks(
            @Nullable Versioned<SourceMark> departure,
            @Nullable Versioned<TargetMark> arrival,
            @Nullable Instant startedAt) {}

    Marks read() {
        Page<Row> page = Rows.first(tables, TABLE, KeyRange.partition(PARTITION), ROWS, null);
        return new Marks(
                find(page, DEPARTURE, SourceMark::of),
                find(page, ARRIVAL, TargetMark::of),
                page.items().stream()
                        .filter(row -> row.rowKey().equals(START))
                        .map(row -> row.values().instant("At"))
                        .findFirst()
                        .orElse(null));
    }

    private static <T> @Nullable Versioned<T> find(Page<Row> page, Key key, Function<Values, T> reader) {
        return page.items().stream()
                .filter(row -> row.key().equals(key))
                .findFirst()
                .map(row -> new Versioned<>(reader.apply(row.values()), row.etag()))
                .orElse(null);
    }

    /**
     * Keeps a process from running on a storage that is or was copied, with two queries and a write. The process
     * records its start and then checks for a mark a second time. A copy writes its mark and then checks for processes
     * that have started. So whichever of the two writes second always sees the first.
     *
     * @throws MovedStorageException if no process may run on this storage
     * @throws org.azuremail.storage.StorageException if the marks cannot be read or the start cannot be recorded
     */
    void start(Time time) {
        MovedStorageException.throwIfMoved(read());
        tables.write(TABLE, PARTITION, Write.upsert(START, Values.of("At", time.instant())));
        MovedStorageException.throwIfMoved(read());
    }

    Optional<Versioned<SourceMark>> insert(SourceMark sourceMark) {
        return ConditionalWrites.insert(tables, TABLE, DEPARTURE, sourceMark.values(), SourceMark::of)
                .done();
    }

    Optional<Versioned<SourceMark>> replace(Versioned<SourceMark> before, SourceMark after) {
        return ConditionalWrites.replace(tables, TABLE, DEPARTURE, after.values(), before.etag(), SourceMark::of)
                .done();
    }

    /** Removes a departure, unless it was changed. */
    void remove(Versioned<SourceMark> departure) {
        tables.write(TABLE, PARTITION, new Write.Delete(DEPARTURE.row(), departure.etag()));
    }

    Optional<Versioned<TargetMark>> insert(TargetMark targetMark) {
        return ConditionalWrites.insert(tables, TABLE, ARRIVAL, targetMark.values(), TargetMark::of)
                .done();
    }

    Saved<TargetMark> replace(Versioned<TargetMark> before, TargetMark after) {
        return ConditionalWrites.replace(tables, TABLE, ARRIVAL, after.values(), before.etag(), TargetMark::of);
    }
}

package org.azuremail.sending;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.id.IdSource;
import org.azuremail.reason.Reason;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.time.Time;

/**
 * The history of each transport: changes by admins, failures, and their ends. Rows of table {@code work}, newest first,
 * the last hundred of each transport. The history stays when a transport is removed. Safe for use from many threads and
 * processes.
 */
public final class TransportHistory {

    private static final int MAX_ENTRIES = 100;
    private static final String PARTITION = "transport-history.";

    private final Table table;
    private final IdSource ids;
    private final Time time;

    public TransportHistory(Storage storage, IdSource ids, Time time) {
        this.table = new Table(storage.tables(), "work");
        this.ids = ids;
        this.time = time;
    }

    /** The kinds of entries. Rows contain these names: add names, but never change one. */
    public enum EventKind {
        ADDED,
        CHANGED,
        LIMITS,
        REMOVED,
        USED,
        LEFT_OUT,
        MOVED,
        TEST_SENT,
        TEST_FAILED,
        TRIED,
        FAILED,
        WORKS
    }

    /**
     * @param by the admin; empty for none
     * @param reason why; may be none
     */
    public record Entry(EventKind what, Instant at, String by, Reason reason) {}

    public void note(String transport, EventKind kind, String by, Reason reason) {
        Instant now = time.instant();
        String row =
                String.format(Locale.ROOT, "%013d.%s", Long.MAX_VALUE / 1_000_000 - now.toEpochMilli(), ids.token());
        Values values = Values.builder()
                .put("What", kind.name())
                .put("At", now)
                .put("By", by)
                .put("Reason", reason.stored(2000))
                .build();
        String partition = PARTITION + transport;
        table.write(partition, Write.insert(row, values));
        List<Row> rows = table.first(KeyRange.partition(partition), MAX_ENTRIES + 50, null)
                .items();
        if (rows.size() > MAX_ENTRIES) {
            table.write(
                    partition,
                    rows.subList(MAX_ENTRIES, rows.size()).stream()
                            .map(old -> Write.delete(old.rowKey()))
                            .toList());
        }
    }

    /** Returns the last entries, newest first; one call. */
    public List<Entry> of(String transport, int max) {
        return table.first(KeyRange.partition(PARTITION + transport), max, null).items().stream()
                .flatMap(row -> entry(row).stream())
                .toList();
    }

    /** Reads an entry; empty for a kind of entry that only a later version knows. */
    private static Optional<Entry> entry(Row row) {
        Values values = row.values();
        try {
            return Optional.of(new Entry(
                    EventKind.valueOf(values.requireString("What")),
                    values.requireInstant("At"),
                    values.string("By", ""),
                    Reason.read(values.string("Reason"))));
        } catch (IllegalArgumentException unknown) {
            return Optional.empty();
        }
    }
}

package org.azuremail.message;

import static org.azuremail.message.MessageStore.ACTIVE;
import static org.azuremail.message.MessageStore.MESSAGE;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.azuremail.list.ListName;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.message.MessageStore.ActiveIndex;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/** The index {@code .active}: a row for each message that is not final, and rows of other features. */
final class ActiveRows {

    /** How long an index row without a message is left alone: its message may be about to be written. */
    private static final Duration ORPHAN_AGE = Duration.ofDays(1);

    /** How long a reopening may take from its index row to its message row. */
    private static final Duration REOPENING_AGE = Duration.ofMinutes(1);

    private final TableStore tables;

    ActiveRows(TableStore tables) {
        this.tables = tables;
    }

    void put(Message message, Instant now) {
        Values values = Values.builder()
                .put("Date", message.datePartition())
                .put("ListName", message.list().value())
                .put("Due", message.scheduledDate())
                .put("Since", now)
                .put("Generation", message.generation())
                .build();
        tables.write(MESSAGE, ACTIVE, Write.upsert(message.ref().padded(), values));
    }

    /** Puts the row again that was taken for an orphan before its message stood. */
    void putIfAbsent(Message message, Instant now) {
        if (find(message.ref()).isEmpty()) {
            put(message, now);
        }
    }

    Optional<ActiveEntry> find(MessageRef ref) {
        return tables.get(MESSAGE, ACTIVE, ref.padded()).map(ActiveRows::entry);
    }

    /** Every row, in one walk. */
    ActiveIndex all() {
        List<ActiveEntry> entries = new ArrayList<>();
        List<Row> others = new ArrayList<>();
        for (Row row : Rows.all(tables, MESSAGE, KeyRange.partition(ACTIVE))) {
            if (Character.isDigit(row.rowKey().charAt(0))) {
                entries.add(entry(row));
            } else {
                others.add(row);
            }
        }
        return new ActiveIndex(entries, others);
    }

    private static ActiveEntry entry(Row row) {
        Values v = row.values();
        return new ActiveEntry(
                new MessageRef(Long.parseLong(row.rowKey())),
                v.requireString("Date"),
                new ListName(v.requireString("ListName")),
                v.requireInstant("Due"),
                v.requireInstant("Since"),
                row.etag());
    }

    /**
     * Removes the row of a message that is final or gone; one that stands for a later generation of it stays, and one whose
     * message is back: somebody who had slept may reopen the same generation once more.
     *
     * @param gone whether the message's row is gone; asked after the index row is read
     */
    void delete(Message message, BooleanSupplier gone) {
        Optional<Row> row = tables.get(MESSAGE, ACTIVE, message.ref().padded());
        while (row.filter(there -> there.values().integer("Generation", 0) <= message.generation())
                        .isPresent()
                && gone.getAsBoolean()
                && !tables.write(MESSAGE, ACTIVE, Write.delete(row.get())).written()) {
            row = tables.get(MESSAGE, ACTIVE, message.ref().padded());
        }
    }

    /** Deletes a row without a message, when it is old enough and still as it was read. */
    void deleteOrphan(ActiveEntry entry, boolean archived, Instant now) {
        Duration age = archived ? REOPENING_AGE : ORPHAN_AGE;
        if (entry.since().plus(age).isBefore(now)) {
            tables.write(MESSAGE, ACTIVE, new Write.Delete(entry.ref().padded(), entry.etag()));
        }
    }
}

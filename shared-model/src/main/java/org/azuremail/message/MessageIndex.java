package org.azuremail.message;

import static org.azuremail.message.MessageStore.MESSAGE;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.azuremail.list.ListName;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.message.MessageStore.ActiveIndex;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Rows;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;

/**
 * An index of messages that are not final, one partition of the table {@code message}; {@code .active} also contains
 * rows of other features. A row is a hint about the state of a message; the message's own row is authoritative. Every
 * write and delete is made under the ETag of a row that was read before.
 */
record MessageIndex(TableStore tables, String partition) {

    /** The time for which an index row without a message is left alone: its message may be about to be written. */
    private static final Duration ORPHAN_AGE = Duration.ofDays(1);

    /** The longest time from the index row to the message row of a message that was stored elsewhere before. */
    private static final Duration SETTLED = Duration.ofMinutes(1);

    /**
     * Writes the index row before the message's row, so that a process that read an older index row cannot remove this
     * one.
     */
    void announce(Message message, Instant now) {
        ConditionalWrites.retryUntilDone(indexOf(message.ref()), () -> write(row(message.ref()), message, now));
    }

    /**
     * Updates the index after the message's row was written. The truth is read after the index row, so that of two
     * processes that do this, the one with the older truth is refused and reads again. The row is written even if it is
     * unchanged, because this invalidates the ETag of any process that is about to delete it.
     *
     * @param current the message's row; empty leaves the index unchanged
     */
    void update(MessageRef ref, Supplier<Optional<Message>> current, Instant now) {
        ConditionalWrites.retryUntilDone(indexOf(ref), () -> {
            Optional<Row> row = row(ref);
            Optional<Message> message = current.get();
            return message.isEmpty() || write(row, message.get(), now);
        });
    }

    private String indexOf(MessageRef ref) {
        return partition + "/" + ref;
    }

    private boolean write(Optional<Row> existing, Message message, Instant now) {
        Values values = Values.builder()
                .put("Date", message.datePartition())
                .put("ListName", message.list().value())
                .put(
                        "Lists",
                        message.lists().size() == 1
                                ? null
                                : Audience.of(message.lists()).stored())
                .put("Due", message.scheduledDate())
                .put("Since", now)
                .put("Generation", message.generation())
                .build();
        return tables.write(
                        MESSAGE, partition, Write.put(existing, message.ref().padded(), values))
                .written();
    }

    Optional<ActiveEntry> find(MessageRef ref) {
        return row(ref).map(MessageIndex::entry);
    }

    private Optional<Row> row(MessageRef ref) {
        return tables.get(MESSAGE, partition, ref.padded());
    }

    ActiveIndex all() {
        List<ActiveEntry> entries = new ArrayList<>();
        List<Row> others = new ArrayList<>();
        for (Row row : Rows.all(tables, MESSAGE, KeyRange.partition(partition))) {
            if (Character.isDigit(row.rowKey().charAt(0))) {
                entries.add(entry(row));
            } else {
                others.add(row);
            }
        }
        return new ActiveIndex(entries, others);
    }

    /** Returns the number of rows, or the limit if there are more. */
    int count(int limit) {
        return Rows.first(tables, MESSAGE, KeyRange.partition(partition), limit, null)
                .items()
                .size();
    }

    private static ActiveEntry entry(Row row) {
        Values v = row.values();
        return new ActiveEntry(
                new MessageRef(Long.parseLong(row.rowKey())),
                v.requireString("Date"),
                Arrays.stream(v.string("Lists", v.requireString("ListName")).split(" "))
                        .map(ListName::new)
                        .toList(),
                v.requireInstant("Due"),
                v.requireInstant("Since"),
                row.etag());
    }

    /**
     * Removes the row of a message that this index no longer has to name. The row stays if it belongs to a later
     * generation of the message, or if the message is back: a process that was suspended may reopen the same generation
     * once more.
     *
     * @param removable whether the index need not name the message; called after the index row is read
     */
    void delete(Message message, BooleanSupplier removable) {
        ConditionalWrites.retryUntilDone(indexOf(message.ref()), () -> {
            Optional<Row> row = row(message.ref())
                    .filter(existing -> existing.values().integer("Generation", 0) <= message.generation());
            return row.isEmpty()
                    || !removable.getAsBoolean()
                    || tables.write(MESSAGE, partition, Write.delete(row.get())).written();
        });
    }

    /** Deletes a row without a message if it is old enough and unchanged. */
    void deleteOrphan(ActiveEntry entry, boolean archived, Instant now) {
        if (archived ? settled(entry, now) : entry.since().plus(ORPHAN_AGE).isBefore(now)) {
            delete(entry);
        }
    }

    /**
     * Returns whether no process can still be about to write the row's message, except one that was suspended. A row
     * dated in the future was written by a process with a wrong clock.
     */
    static boolean settled(ActiveEntry entry, Instant now) {
        return Duration.between(entry.since(), now).abs().compareTo(SETTLED) > 0;
    }

    /** Deletes a row if it is unchanged. */
    void delete(ActiveEntry entry) {
        tables.write(MESSAGE, partition, new Write.Delete(entry.ref().padded(), entry.etag()));
    }
}

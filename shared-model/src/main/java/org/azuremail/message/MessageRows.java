package org.azuremail.message;

import static org.azuremail.message.MessageStore.MESSAGE;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.Row;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;

/** The rows of messages that are not final, under their dates; {@code .ref} contains the date of each message. */
record MessageRows(TableStore tables, MessageIndex active) {

    private static final String REF = ".ref";
    private static final String DELETED = "deleted";

    /** Finds a message by the index or, if the index has no row or a wrong one, by {@code .ref}. */
    Optional<Versioned<Message>> findActive(MessageRef ref) {
        Optional<String> date = active.find(ref).map(ActiveEntry::date);
        return date.flatMap(existing -> findAt(existing, ref)).or(() -> findByRef(ref, date));
    }

    /**
     * Finds a message by {@code .ref}. Reads again while {@code .ref} names another date than before, because the
     * message may be moved there in between.
     */
    private Optional<Versioned<Message>> findByRef(MessageRef ref, Optional<String> exceptDate) {
        Optional<String> lastDate = exceptDate;
        Optional<String> date = dateOf(ref);
        Optional<Versioned<Message>> found = Optional.empty();
        while (found.isEmpty() && date.isPresent() && !date.equals(lastDate)) {
            found = findAt(date.get(), ref);
            lastDate = date;
            date = found.isPresent() ? date : dateOf(ref);
        }
        return found;
    }

    /** Finds the row under a date. A row that is being moved away counts as absent. */
    Optional<Versioned<Message>> findAt(String date, MessageRef ref) {
        return findInAnyStatus(date, ref).filter(found -> found.value().status() != MessageStatus.MOVING);
    }

    /** Returns the message as its row contains it at the same place; empty when the row is gone. */
    Optional<Message> reload(Message at) {
        return findAt(at.datePartition(), at.ref()).map(Versioned::value);
    }

    /** Finds a message at the date of its index row, or otherwise at the date in {@code .ref}. */
    Optional<Versioned<Message>> find(ActiveEntry entry) {
        return findAt(entry.date(), entry.ref()).or(() -> findByRef(entry.ref(), Optional.of(entry.date())));
    }

    /** Returns the messages that exist, read in parallel, in the order of the entries. */
    List<Message> find(List<ActiveEntry> entries) {
        return tables
                .readInParallel(entries.stream()
                        .<Supplier<Optional<Versioned<Message>>>>map(entry -> () -> find(entry))
                        .toList())
                .stream()
                .flatMap(Optional::stream)
                .map(Versioned::value)
                .toList();
    }

    Saved<Message> insert(Message message) {
        return ConditionalWrites.insert(tables, MESSAGE, key(message), message.toValues(), Message::from);
    }

    /** Finds the row under a date, in any status. */
    Optional<Versioned<Message>> findInAnyStatus(String date, MessageRef ref) {
        return tables.get(MESSAGE, date, rowKey(ref))
                .map(row -> new Versioned<>(Message.from(row.values()), row.etag()));
    }

    /** Changes a message without moving it, if it still has the ETag. */
    Saved<Message> replace(Versioned<Message> old, Message changed) {
        return ConditionalWrites.replace(tables, MESSAGE, key(changed), changed.toValues(), old.etag(), Message::from);
    }

    /** Marks the old row with the status Moving and the changes. */
    Saved<Message> markMoving(Versioned<Message> old, Message changed) {
        Values moving = changed.become(MessageStatus.MOVING).toValues();
        return ConditionalWrites.replace(tables, MESSAGE, key(old.value()), moving, old.etag(), Message::from);
    }

    /**
     * Returns whether the row of a message is unchanged.
     *
     * @param date the date of the row; that of a message that is being moved is already the new one
     */
    boolean isAt(String date, Versioned<Message> read) {
        return tables.get(MESSAGE, date, rowKey(read.value().ref()))
                .filter(row -> row.etag().equals(read.etag()))
                .isPresent();
    }

    /**
     * Deletes a row if it still has the ETag.
     *
     * @return whether the row is gone; the answer of an earlier try may have been lost
     */
    boolean delete(Versioned<Message> old) {
        Key key = key(old.value());
        boolean deleted = tables.write(MESSAGE, key.partition(), new Write.Delete(key.row(), old.etag()))
                .written();
        return deleted || tables.get(MESSAGE, key).isEmpty();
    }

    /**
     * Deletes the row of a message that was moved away, if it is unchanged since it was marked.
     *
     * @param moving contains the changed message, whose date is not that of the row
     */
    void deleteMoved(String date, Versioned<Message> moving) {
        tables.write(MESSAGE, date, new Write.Delete(rowKey(moving.value().ref()), moving.etag()));
    }

    Optional<String> dateOf(MessageRef ref) {
        return refRow(ref).map(MessageRows::date);
    }

    private Optional<Row> refRow(MessageRef ref) {
        return tables.get(MESSAGE, REF, ref.padded());
    }

    private static String date(Row refRow) {
        return refRow.values().requireString("Date");
    }

    /** Writes {@code .ref} before a new message's row is written. */
    void announceDate(Message message) {
        tables.write(MESSAGE, REF, Write.insert(message.ref().padded(), Values.of("Date", message.datePartition())));
    }

    /**
     * Updates {@code .ref} after the message's row was written under a date, unless that row has been moved again
     * since.
     */
    void updateDate(Message message) {
        ConditionalWrites.retryUntilDone("the date of message " + message.ref(), () -> {
            Optional<Row> row = refRow(message.ref());
            String date = message.datePartition();
            return row.map(MessageRows::date).filter(date::equals).isPresent()
                    || findAt(date, message.ref()).isEmpty()
                    || tables.write(MESSAGE, REF, Write.put(row, message.ref().padded(), Values.of("Date", date)))
                            .written();
        });
    }

    /** Deletes {@code .ref} after the message's row was deleted, if it still names that row's date. */
    void forgetDate(Message deleted) {
        refRow(deleted.ref())
                .filter(row -> date(row).equals(deleted.datePartition()))
                .ifPresent(row -> tables.write(MESSAGE, REF, Write.delete(row)));
    }

    /**
     * Marks a message as deleted, permanently, because a process that is about to create it may be suspended for long.
     */
    void markDeleted(MessageRef ref) {
        tables.write(MESSAGE, REF, Write.upsert(DELETED + ref.padded(), Values.none()));
    }

    boolean wasDeleted(MessageRef ref) {
        return tables.get(MESSAGE, REF, DELETED + ref.padded()).isPresent();
    }

    /** Returns the place of a message, in either table. */
    static Key key(Message message) {
        return new Key(message.datePartition(), rowKey(message.ref()));
    }

    static String rowKey(MessageRef ref) {
        return "message" + ref.padded();
    }
}

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

/** The rows of messages that are not final, under their dates; {@code .ref} tells the date of each message. */
record MessageRows(TableStore tables, IndexRows active) {

    private static final String REF = ".ref";
    private static final String DELETED = "deleted";

    /** By the index; what that does not name, or names at the wrong place, {@code .ref} tells the date of. */
    Optional<Versioned<Message>> findActive(MessageRef ref) {
        Optional<String> date = active.find(ref).map(ActiveEntry::date);
        return date.flatMap(there -> findAt(there, ref)).or(() -> findByRef(ref, date));
    }

    /** Again for as long as {@code .ref} names another date: the message may be put there in between. */
    private Optional<Versioned<Message>> findByRef(MessageRef ref, Optional<String> butNotAt) {
        Optional<String> looked = butNotAt;
        Optional<String> date = dateOf(ref);
        Optional<Versioned<Message>> found = Optional.empty();
        while (found.isEmpty() && date.isPresent() && !date.equals(looked)) {
            found = findAt(date.get(), ref);
            looked = date;
            date = found.isPresent() ? date : dateOf(ref);
        }
        return found;
    }

    /** The row under a date. One that is being moved away counts as absent. */
    Optional<Versioned<Message>> findAt(String date, MessageRef ref) {
        return at(date, ref).filter(found -> found.value().status() != MessageStatus.MOVING);
    }

    /** The message as its row says now, where it stood; empty when it stands there no more. */
    Optional<Message> truth(Message at) {
        return findAt(at.datePartition(), at.ref()).map(Versioned::value);
    }

    /** Looks where an index row says, or else where {@code .ref} does. */
    Optional<Versioned<Message>> find(ActiveEntry entry) {
        return findAt(entry.date(), entry.ref()).or(() -> findByRef(entry.ref(), Optional.of(entry.date())));
    }

    /** Those that are found, read side by side, in this order. */
    List<Message> find(List<ActiveEntry> entries) {
        return tables
                .sideBySide(entries.stream()
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

    /** The row under a date, in any status. */
    Optional<Versioned<Message>> at(String date, MessageRef ref) {
        return tables.get(MESSAGE, date, rowKey(ref))
                .map(row -> new Versioned<>(Message.from(row.values()), row.etag()));
    }

    /** Changes a message where it stands, which must still be at the ETag. */
    Saved<Message> replace(Versioned<Message> old, Message changed) {
        return ConditionalWrites.replace(tables, MESSAGE, key(changed), changed.toValues(), old.etag(), Message::from);
    }

    /** Says at the old place that the message moves, and what it becomes. */
    Saved<Message> markMoving(Versioned<Message> old, Message changed) {
        Values moving = changed.become(MessageStatus.MOVING).toValues();
        return ConditionalWrites.replace(tables, MESSAGE, key(old.value()), moving, old.etag(), Message::from);
    }

    boolean isAt(Versioned<Message> read) {
        return tables.get(MESSAGE, key(read.value()))
                .filter(row -> row.etag().equals(read.etag()))
                .isPresent();
    }

    /** The same of a row that is being moved away from a date. */
    boolean isAt(String date, Versioned<Message> moving) {
        return at(date, moving.value().ref())
                .filter(row -> row.etag().equals(moving.etag()))
                .isPresent();
    }

    /**
     * Deletes a row that must still be at the ETag.
     *
     * @return whether there is none now; an answer may have been lost
     */
    boolean delete(Versioned<Message> old) {
        Key key = key(old.value());
        boolean deleted = tables.write(MESSAGE, key.partition(), new Write.Delete(key.row(), old.etag()))
                .written();
        return deleted || tables.get(MESSAGE, key).isEmpty();
    }

    /**
     * Deletes the row of a message that was moved away, which must still be as it was marked.
     *
     * @param moving says what it becomes, not where it stands
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

    /** Before a new message's row is written. */
    void announceDate(Message message) {
        tables.write(MESSAGE, REF, Write.insert(message.ref().padded(), refValues(message)));
    }

    /** After the message's row was written under a date: {@code .ref} follows, unless that row has gone on since. */
    void tellDate(Message message) {
        ConditionalWrites.untilDone("the date of message " + message.ref(), () -> {
            Optional<Row> row = refRow(message.ref());
            return row.map(MessageRows::date)
                            .filter(message.datePartition()::equals)
                            .isPresent()
                    || findAt(message.datePartition(), message.ref()).isEmpty()
                    || tables.write(MESSAGE, REF, Write.put(row, message.ref().padded(), refValues(message)))
                            .written();
        });
    }

    private static Values refValues(Message message) {
        return Values.of("Date", message.datePartition());
    }

    /** The message's row is deleted: so is this, if it still names that. */
    void forgetDate(Message deleted) {
        refRow(deleted.ref())
                .filter(row -> date(row).equals(deleted.datePartition()))
                .ifPresent(row -> tables.write(MESSAGE, REF, Write.delete(row)));
    }

    /** For good: a process that is about to create the message may sleep for long. */
    void markDeleted(MessageRef ref) {
        tables.write(MESSAGE, REF, Write.upsert(DELETED + ref.padded(), Values.none()));
    }

    boolean wasDeleted(MessageRef ref) {
        return tables.get(MESSAGE, REF, DELETED + ref.padded()).isPresent();
    }

    /** The place of a message, in either table. */
    static Key key(Message message) {
        return new Key(message.datePartition(), rowKey(message.ref()));
    }

    static String rowKey(MessageRef ref) {
        return "message" + ref.padded();
    }
}

package org.azuremail.message;

import static org.azuremail.message.MessageStore.MESSAGE;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;

/** The rows of messages that are not final, under their dates; {@code .ref} tells the date of each message. */
final class MessageRows {

    private static final String REF = ".ref";

    private final TableStore tables;
    private final ActiveRows active;

    MessageRows(TableStore tables, ActiveRows active) {
        this.tables = tables;
        this.active = active;
    }

    /** By the index; where a move broke off just before that was put right, {@code .ref} tells the date. */
    Optional<Versioned<Message>> findActive(MessageRef ref) {
        return active.find(ref).flatMap(entry -> findAt(entry.date(), ref)
                .or(() -> dateOf(ref).filter(date -> !date.equals(entry.date())).flatMap(d -> findAt(d, ref))));
    }

    /** The row under a date. One that is being moved away counts as absent. */
    Optional<Versioned<Message>> findAt(String date, MessageRef ref) {
        return at(date, ref).filter(found -> found.value().status() != MessageStatus.MOVING);
    }

    List<Optional<Versioned<Message>>> findAt(List<ActiveEntry> entries) {
        return tables.sideBySide(entries.stream()
                .<Supplier<Optional<Versioned<Message>>>>map(entry -> () -> findAt(entry.date(), entry.ref()))
                .toList());
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

    void deleteAt(String date, MessageRef ref) {
        tables.write(MESSAGE, date, Write.delete(rowKey(ref)));
    }

    Optional<String> dateOf(MessageRef ref) {
        return tables.get(MESSAGE, REF, ref.padded()).map(row -> row.values().requireString("Date"));
    }

    void tellDate(Message message) {
        tables.write(MESSAGE, REF, Write.upsert(message.ref().padded(), Values.of("Date", message.datePartition())));
    }

    void forgetDate(MessageRef ref) {
        tables.write(MESSAGE, REF, Write.delete(ref.padded()));
    }

    /** Where a message stands, in either table. */
    static Key key(Message message) {
        return new Key(message.datePartition(), rowKey(message.ref()));
    }

    static String rowKey(MessageRef ref) {
        return "message" + ref.padded();
    }
}

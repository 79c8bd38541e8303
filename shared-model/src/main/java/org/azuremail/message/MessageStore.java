package org.azuremail.message;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.list.ListName;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.RowPage;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * Message rows and their indexes. A message is a row under its UTC date in {@code message} until it is final, then in
 * {@code messagearchive}; {@code .active} names every message that is not final and is written first and removed last,
 * so that a crash at any step leaves at most an index row too many, never a message that nobody looks at.
 */
public class MessageStore {

    /** Messages and e-mail rows that are not final. */
    public static final String MESSAGE = "message";

    /** Outcomes and final messages. */
    public static final String ARCHIVE = "messagearchive";

    /** Partition of the index of what is not final; all that the scheduler polls. */
    public static final String ACTIVE = ".active";

    private static final String REF = ".ref";
    private static final String SENT = ".sent";

    /** How long an index row without a message is left alone: its message may be about to be written. */
    private static final Duration ORPHAN_AGE = Duration.ofDays(1);

    /** How long a reopening may take from its index row to its message row. */
    private static final Duration REOPENING_AGE = Duration.ofMinutes(1);

    private final TableStore tables;

    public MessageStore(TableStore tables) {
        this.tables = tables;
        tables.createTable(MESSAGE);
        tables.createTable(ARCHIVE);
    }

    /** A message that is not final, as its index names it. */
    public record ActiveEntry(MessageRef ref, String date, ListName list, Instant due, Instant since, String etag) {

        static ActiveEntry from(Row row) {
            Values v = row.values();
            return new ActiveEntry(
                    new MessageRef(Long.parseLong(row.rowKey())),
                    v.requireString("Date"),
                    new ListName(v.requireString("ListName")),
                    v.requireInstant("Due"),
                    v.requireInstant("Since"),
                    row.etag());
        }
    }

    /**
     * Everything that waits for the scheduler.
     *
     * @param others rows of other features, by their own keys
     */
    public record ActiveIndex(List<ActiveEntry> messages, List<Row> others) {}

    /** A page of final messages, newest date first. */
    public record SentPage(List<Message> messages, @Nullable String continuation) {}

    /**
     * Stores a new message: index first, then the row, then the index is looked at again, because an index row without a
     * message may have been cleaned up in between.
     */
    public Versioned<Message> insert(Message message, Instant now) {
        putActive(message, now);
        tables.write(MESSAGE, REF, Write.upsert(message.ref().padded(), dateOf(message)));
        Saved<Message> saved =
                ConditionalWrites.insert(tables, MESSAGE, key(message), message.toValues(), Message::from);
        if (activeEntry(message.ref()).isEmpty()) {
            putActive(message, now);
        }
        return saved.done().orElseThrow(() -> new IllegalStateException("message " + message.ref() + " exists"));
    }

    /**
     * The message that is not final, ready to be changed under its ETag. Where a move broke off just before the index was put
     * right, {@code .ref} tells its date.
     */
    public Optional<Versioned<Message>> findActive(MessageRef ref) {
        return activeEntry(ref).flatMap(entry -> findAt(entry.date(), ref)
                .or(() -> dateOf(ref).filter(date -> !date.equals(entry.date())).flatMap(d -> findAt(d, ref))));
    }

    /** The message row under a date. One that is being moved away counts as absent. */
    public Optional<Versioned<Message>> findAt(String date, MessageRef ref) {
        return at(date, ref).filter(found -> found.value().status() != MessageStatus.MOVING);
    }

    /** The message, final or not; an active row wins over an archived one. */
    public Optional<Message> find(MessageRef ref) {
        Optional<Message> active = findActive(ref).map(Versioned::value);
        if (active.isPresent()) {
            return active;
        }
        return dateOf(ref).flatMap(d -> findAt(d, ref).map(Versioned::value).or(() -> archived(d, ref)));
    }

    /** Changes an active message that must still be at the ETag. */
    public Saved<Message> replace(Versioned<Message> old, Message changed) {
        return ConditionalWrites.replace(tables, MESSAGE, key(changed), changed.toValues(), old.etag(), Message::from);
    }

    /**
     * Puts a pending message under another date. A crash in between leaves a row in status Moving, which
     * {@link #finishMove} ends.
     */
    public Saved<Message> move(Versioned<Message> old, Message changed, Instant now) {
        if (old.value().datePartition().equals(changed.datePartition())) {
            Saved<Message> saved = replace(old, changed);
            saved.done().ifPresent(done -> putActive(done.value(), now));
            return saved;
        }
        Values marked = changed.become(MessageStatus.MOVING).toValues();
        Saved<Message> moving =
                ConditionalWrites.replace(tables, MESSAGE, key(old.value()), marked, old.etag(), Message::from);
        return moving.done().isPresent() ? finish(old.value().datePartition(), changed, now) : moving;
    }

    /** Ends a move that broke off at any step, as far as there is one. */
    public void finishMove(ActiveEntry entry, Instant now) {
        Optional<Versioned<Message>> there = at(entry.date(), entry.ref());
        if (there.isPresent() && there.get().value().status() == MessageStatus.MOVING) {
            finish(entry.date(), there.get().value().become(MessageStatus.PENDING), now);
        } else if (there.isEmpty()) {
            findActive(entry.ref()).ifPresent(moved -> putActive(moved.value(), now));
        }
    }

    /**
     * Deletes a pending message under its ETag: the row first, then the indexes.
     *
     * @return false when the message changed in between; nothing was deleted
     */
    public boolean delete(Versioned<Message> old) {
        Message message = old.value();
        String partition = message.datePartition();
        WriteResult result =
                tables.write(MESSAGE, partition, new Write.Delete(key(message).row(), old.etag()));
        if (!result.written() && tables.get(MESSAGE, key(message)).isPresent()) {
            return false;
        }
        tables.write(MESSAGE, REF, Write.delete(message.ref().padded()));
        tables.write(MESSAGE, ACTIVE, Write.delete(message.ref().padded()));
        return true;
    }

    /**
     * Moves a message whose status has ended to the archive: archive row and its index, the row, {@code .active} last.
     * Repeatable at every step.
     */
    public void archive(Versioned<Message> ended) {
        Message message = ended.value();
        tables.write(ARCHIVE, message.datePartition(), Write.upsert(key(message).row(), message.toValues()));
        tables.write(ARCHIVE, SENT, Write.upsert(sentRow(message), message.toValues()));
        WriteResult gone = tables.write(
                MESSAGE, message.datePartition(), new Write.Delete(key(message).row(), ended.etag()));
        if (gone.written() || tables.get(MESSAGE, key(message)).isEmpty()) {
            tables.write(MESSAGE, ACTIVE, Write.delete(message.ref().padded()));
        }
    }

    /**
     * Corrects the sums of a message that is final already. One that is not final, or being reopened, is left alone: its sums
     * are made when it completes.
     */
    public void recountArchived(MessageRef ref, Function<Message, OutcomeCounts> sums) {
        Optional<String> date = findActive(ref).isPresent() ? Optional.empty() : dateOf(ref);
        date.flatMap(d -> tables.get(ARCHIVE, d, rowKey(ref))).ifPresent(row -> {
            Message message = Message.from(row.values());
            Values counted = message.change(c -> c.counts(sums.apply(message))).toValues();
            if (tables.write(ARCHIVE, row.key().partition(), Write.replace(row, counted))
                    .written()) {
                tables.write(ARCHIVE, SENT, Write.upsert(sentRow(message), counted));
            }
        });
    }

    /** Puts a completed message back under way: index first, then its row, which wins over the archived one. */
    public Optional<Versioned<Message>> reactivate(Message reopened, Instant now) {
        putActive(reopened, now);
        Optional<Versioned<Message>> inserted = ConditionalWrites.insert(
                        tables, MESSAGE, key(reopened), reopened.toValues(), Message::from)
                .done();
        if (activeEntry(reopened.ref()).isEmpty()) {
            putActive(reopened, now);
        }
        return inserted;
    }

    /** Messages that are not final, as their index names them. */
    public List<ActiveEntry> active() {
        return activeIndex().messages();
    }

    /** The whole index, in one walk. */
    public ActiveIndex activeIndex() {
        List<ActiveEntry> entries = new ArrayList<>();
        List<Row> others = new ArrayList<>();
        for (Row row : Rows.all(tables, MESSAGE, KeyRange.partition(ACTIVE))) {
            if (Character.isDigit(row.rowKey().charAt(0))) {
                entries.add(ActiveEntry.from(row));
            } else {
                others.add(row);
            }
        }
        return new ActiveIndex(entries, others);
    }

    /** The index row of one message. */
    public Optional<ActiveEntry> activeEntry(MessageRef ref) {
        return tables.get(MESSAGE, ACTIVE, ref.padded()).map(ActiveEntry::from);
    }

    /**
     * Removes an index row that has no message. One whose message is archived goes after a minute, because a reopening writes
     * its index row first; one whose message was never seen goes after a day, because somebody may be about to write it.
     */
    public void removeOrphan(ActiveEntry entry, Instant now) {
        Duration age = archived(entry.date(), entry.ref()).isPresent() ? REOPENING_AGE : ORPHAN_AGE;
        if (entry.since().plus(age).isBefore(now)) {
            tables.write(MESSAGE, ACTIVE, new Write.Delete(entry.ref().padded(), entry.etag()));
        }
    }

    /** Final messages, newest date first. */
    public SentPage sent(int limit, @Nullable String continuation) {
        RowPage page = Rows.first(tables, ARCHIVE, KeyRange.partition(SENT), limit, continuation);
        return new SentPage(
                page.rows().stream().map(row -> Message.from(row.values())).toList(), page.continuation());
    }

    /** The index comes last: as long as it names the old date, the move is found and ended. */
    private Saved<Message> finish(String oldDate, Message moved, Instant now) {
        Saved<Message> inserted =
                ConditionalWrites.insert(tables, MESSAGE, key(moved), moved.toValues(), Message::from);
        tables.write(MESSAGE, REF, Write.upsert(moved.ref().padded(), dateOf(moved)));
        tables.write(MESSAGE, oldDate, Write.delete(rowKey(moved.ref())));
        putActive(moved, now);
        return inserted instanceof Saved.Conflict<Message> there ? new Saved.Done<>(there.current()) : inserted;
    }

    private void putActive(Message message, Instant now) {
        Values values = Values.builder()
                .put("Date", message.datePartition())
                .put("ListName", message.list().value())
                .put("Due", message.scheduledDate())
                .put("Since", now)
                .build();
        tables.write(MESSAGE, ACTIVE, Write.upsert(message.ref().padded(), values));
    }

    private Optional<Versioned<Message>> at(String date, MessageRef ref) {
        return tables.get(MESSAGE, date, rowKey(ref))
                .map(row -> new Versioned<>(Message.from(row.values()), row.etag()));
    }

    private Optional<Message> archived(String date, MessageRef ref) {
        return tables.get(ARCHIVE, date, rowKey(ref)).map(row -> Message.from(row.values()));
    }

    private Optional<String> dateOf(MessageRef ref) {
        return tables.get(MESSAGE, REF, ref.padded()).map(row -> row.values().requireString("Date"));
    }

    private static Values dateOf(Message message) {
        return Values.of("Date", message.datePartition());
    }

    private static Key key(Message message) {
        return new Key(message.datePartition(), rowKey(message.ref()));
    }

    private static String rowKey(MessageRef ref) {
        return "message" + ref.padded();
    }

    /** Newest first: the later the date, the smaller the key. */
    private static String sentRow(Message message) {
        return String.format(
                "%019d-%s",
                Long.MAX_VALUE - message.scheduledDate().toEpochMilli(),
                message.ref().padded());
    }
}

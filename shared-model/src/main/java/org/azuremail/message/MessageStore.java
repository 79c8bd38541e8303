package org.azuremail.message;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.azuremail.list.ListName;
import org.azuremail.storage.Row;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
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

    private final MessageRows rows;
    private final ActiveRows active;
    private final MessageMove moves;
    private final MessageArchive archive;

    public MessageStore(TableStore tables) {
        this.active = new ActiveRows(tables);
        this.rows = new MessageRows(tables, active);
        this.moves = new MessageMove(rows, active);
        this.archive = new MessageArchive(tables);
        tables.createTable(MESSAGE);
        tables.createTable(ARCHIVE);
    }

    /** A message that is not final, as its index names it. */
    public record ActiveEntry(MessageRef ref, String date, ListName list, Instant due, Instant since, String etag) {}

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
        active.put(message, now);
        rows.tellDate(message);
        Saved<Message> saved = rows.insert(message);
        active.putIfAbsent(message, now);
        return saved.done().orElseThrow(() -> new IllegalStateException("message " + message.ref() + " exists"));
    }

    /**
     * The message that is not final, ready to be changed under its ETag. Where a move broke off just before the index was put
     * right, {@code .ref} tells its date.
     */
    public Optional<Versioned<Message>> findActive(MessageRef ref) {
        return rows.findActive(ref);
    }

    /** The message row under a date. One that is being moved away counts as absent. */
    public Optional<Versioned<Message>> findAt(String date, MessageRef ref) {
        return rows.findAt(date, ref);
    }

    /** Those that stand where their index rows say, read side by side, in this order. */
    List<Message> findAt(List<ActiveEntry> entries) {
        return rows.findAt(entries).stream()
                .flatMap(Optional::stream)
                .map(Versioned::value)
                .toList();
    }

    /** The message, final or not; an active row wins over an archived one. */
    public Optional<Message> find(MessageRef ref) {
        Optional<Message> found = findActive(ref).map(Versioned::value);
        if (found.isPresent()) {
            return found;
        }
        return rows.dateOf(ref)
                .flatMap(d -> findAt(d, ref).map(Versioned::value).or(() -> archive.find(d, ref)));
    }

    /** Changes an active message that must still be at the ETag. */
    public Saved<Message> replace(Versioned<Message> old, Message changed) {
        return rows.replace(old, changed);
    }

    /**
     * Puts a pending message under another date. A crash in between leaves a row in status Moving, which
     * {@link #finishMove} ends.
     */
    public Saved<Message> move(Versioned<Message> old, Message changed, Instant now) {
        return moves.move(old, changed, now);
    }

    /** Ends a move that broke off at any step, as far as there is one. */
    public void finishMove(ActiveEntry entry, Instant now) {
        moves.finish(entry, now);
    }

    /**
     * Deletes a pending message under its ETag: the row first, then the indexes.
     *
     * @return false when the message changed in between; nothing was deleted
     */
    public boolean delete(Versioned<Message> old) {
        if (!rows.delete(old)) {
            return false;
        }
        Message message = old.value();
        rows.forgetDate(message.ref());
        active.delete(message, () -> isGone(message));
        return true;
    }

    /**
     * Moves a message whose status has ended to the archive: archive row and its index, the row, {@code .active} last.
     * Repeatable at every step.
     */
    public void archive(Versioned<Message> ended) {
        Message message = ended.value();
        archive.put(message, () -> rows.isAt(ended));
        if (rows.delete(ended)) {
            active.delete(message, () -> isGone(message));
        }
    }

    private boolean isGone(Message message) {
        return rows.at(message.datePartition(), message.ref()).isEmpty();
    }

    /**
     * Corrects the sums of a message that has ended, archived or not. One that has not is rewritten unchanged: whoever is about
     * to end it has read old sums.
     */
    public void recountEnded(MessageRef ref, Function<Message, OutcomeCounts> sums) {
        Optional<Versioned<Message>> found = findActive(ref);
        while (found.isPresent()) {
            Message message = found.get().value();
            boolean counted = message.completedAt() != null && message.status().ended();
            Message next = counted ? message.change(c -> c.counts(sums.apply(message))) : message;
            if (replace(found.get(), next).done().isPresent()) {
                return;
            }
            found = findActive(ref);
        }
        rows.dateOf(ref).ifPresent(date -> archive.recount(date, ref, sums));
    }

    /** What stands of this message in the archive. */
    public Optional<Message> findArchived(Message message) {
        return archive.find(message.datePartition(), message.ref());
    }

    /**
     * Puts a completed message back under way: index first, then its row, which wins over the archived one, then the index
     * again: whoever is about to remove that as an orphan has an old ETag then.
     */
    public Optional<Versioned<Message>> reactivate(Message reopened, Instant now) {
        active.put(reopened, now);
        Optional<Versioned<Message>> inserted = rows.insert(reopened).done();
        inserted.ifPresent(done -> active.put(reopened, now));
        return inserted;
    }

    /** Messages that are not final, as their index names them. */
    public List<ActiveEntry> active() {
        return activeIndex().messages();
    }

    /** The whole index, in one walk. */
    public ActiveIndex activeIndex() {
        return active.all();
    }

    /** The index row of one message. */
    public Optional<ActiveEntry> activeEntry(MessageRef ref) {
        return active.find(ref);
    }

    /**
     * Removes an index row that has no message. One whose message is archived goes after a minute, because a reopening writes
     * its index row first; one whose message was never seen goes after a day, because somebody may be about to write it.
     */
    public void removeOrphan(ActiveEntry entry, Instant now) {
        boolean archived = archive.find(entry.date(), entry.ref()).isPresent();
        active.deleteOrphan(entry, archived, now);
        findAt(entry.date(), entry.ref()).ifPresent(there -> active.putIfAbsent(there.value(), now));
    }

    /** Final messages, newest date first. */
    public SentPage sent(int limit, @Nullable String continuation) {
        return archive.page(limit, continuation);
    }
}

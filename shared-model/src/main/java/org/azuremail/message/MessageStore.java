package org.azuremail.message;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.azuremail.list.ListName;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Page;
import org.azuremail.storage.Row;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Versioned;
import org.jspecify.annotations.Nullable;

/**
 * Message rows and their indexes. A message is a row under its UTC date in {@code message} until it is final, then in
 * {@code messagearchive}; {@code .active} names every message that is due some day or under way and is written first and removed
 * last, so that a crash at any step leaves at most an index row too many, never a message that nobody looks at. Drafts are in
 * {@code .drafts}: nobody need look at them. Both are hints that may be behind; what the message's row says is true.
 */
public class MessageStore {

    /** Messages and email rows that are not final. */
    public static final String MESSAGE = "message";

    /** Outcomes and final messages. */
    public static final String ARCHIVE = "messagearchive";

    /** Partition of the index of what is not final; all that the scheduler polls. */
    public static final String ACTIVE = ".active";

    private static final String DRAFTS = ".drafts";

    private final MessageRows rows;
    private final IndexRows active;
    private final IndexRows drafts;
    private final MessageMove moves;
    private final MessageArchive archive;

    public MessageStore(TableStore tables) {
        this.active = new IndexRows(tables, ACTIVE);
        this.drafts = new IndexRows(tables, DRAFTS);
        this.rows = new MessageRows(tables, active);
        this.archive = new MessageArchive(tables);
        this.moves = new MessageMove(rows, active, archive);
        tables.createTable(MESSAGE);
        tables.createTable(ARCHIVE);
    }

    /** A message that is not final, as its index names it. */
    public record ActiveEntry(
            MessageRef ref, String date, List<ListName> lists, Instant due, Instant since, String etag) {}

    /**
     * Everything that waits for the scheduler.
     *
     * @param others rows of other features, by their own keys
     */
    public record ActiveIndex(List<ActiveEntry> messages, List<Row> others) {}

    /**
     * Stores a new message: index first, then the row, then the index is looked at again, because an index row without a
     * message may have been cleaned up in between.
     *
     * @return empty when there is another message of this reference
     */
    public Optional<Versioned<Message>> insert(Message message, Instant now) {
        IndexRows index = message.keptAsDraft() ? drafts : active;
        index.announce(message, now);
        rows.announceDate(message);
        Saved<Message> saved = rows.insert(message);
        if (index.find(message.ref()).isEmpty()) {
            index.follow(message.ref(), () -> rows.truth(message), now);
        }
        return saved.done();
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

    /** Those that are found, read side by side, in this order. */
    List<Message> find(List<ActiveEntry> entries) {
        return rows.find(entries);
    }

    /** The message, final or not; an active row wins over an archived one. */
    public Optional<Message> find(MessageRef ref) {
        Optional<Message> found =
                active.find(ref).flatMap(entry -> findAt(entry.date(), ref)).map(Versioned::value);
        return found.or(() -> rows.dateOf(ref)
                .flatMap(date -> findAt(date, ref).map(Versioned::value).or(() -> archive.find(date, ref))));
    }

    /** The same, also while it is being put under another date; for whoever asks what is still needed. */
    public Optional<Message> findWherever(MessageRef ref) {
        Optional<String> date = rows.dateOf(ref);
        while (date.isPresent()) {
            String there = date.get();
            Optional<Message> found = rows.at(there, ref).map(Versioned::value).or(() -> archive.find(there, ref));
            date = rows.dateOf(ref).filter(now -> found.isEmpty() && !now.equals(there));
            if (date.isEmpty()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /**
     * Changes an active message that must still be at the ETag, in nothing that an index says.
     *
     * @throws IllegalArgumentException when it does change that
     */
    public Saved<Message> replace(Versioned<Message> old, Message changed) {
        if (isElsewhere(old.value(), changed) || goesOn(old.value(), changed)) {
            throw new IllegalArgumentException("the indexes have to follow this change of message " + changed.ref());
        }
        return rows.replace(old, changed);
    }

    /**
     * Changes an active message that must still be at the ETag, where it stands. When it is a draft no more, {@code .active}
     * names it before; when its list or its instant changes, the indexes follow. When a paused message goes on, its row in
     * {@code .active} is rewritten before: without that, the scheduler need not look at it for an hour.
     */
    public Saved<Message> replace(Versioned<Message> old, Message changed, Instant now) {
        Message before = old.value();
        if ((before.keptAsDraft() && !changed.keptAsDraft()) || goesOn(before, changed)) {
            active.announce(before, now);
        } else if (changed.keptAsDraft() && !before.keptAsDraft()) {
            drafts.announce(before, now);
        }
        Saved<Message> saved = rows.replace(old, changed);
        saved.done().filter(done -> isElsewhere(before, changed)).ifPresent(done -> follow(changed, now));
        return saved;
    }

    /** Returns whether a message that was taken up and paused is resumed, cancelled or reopened. */
    private static boolean goesOn(Message before, Message after) {
        return before.begun()
                && before.paused()
                && before.state().reopening() == null
                && (!after.paused() || after.state().reopening() != null);
    }

    private static boolean isElsewhere(Message before, Message after) {
        return before.keptAsDraft() != after.keptAsDraft()
                || !before.lists().equals(after.lists())
                || !before.scheduledDate().equals(after.scheduledDate());
    }

    /** A row that is too many in {@code .active} is left to the scheduler's look. */
    private void follow(Message message, Instant now) {
        (message.keptAsDraft() ? drafts : active).follow(message.ref(), () -> rows.truth(message), now);
        if (!message.keptAsDraft()) {
            drafts.delete(message, () -> isNoDraft(message));
        }
    }

    private boolean isNoDraft(Message message) {
        return rows.truth(message).filter(Message::keptAsDraft).isEmpty();
    }

    /**
     * Changes a pending message, and puts it under another date if that changes. A crash in between leaves a row in status
     * Moving, which {@link #look} ends.
     */
    public Saved<Message> move(Versioned<Message> old, Message changed, Instant now) {
        if (old.value().datePartition().equals(changed.datePartition())) {
            return replace(old, changed, now);
        }
        Saved<Message> moved = moves.move(old, changed, now);
        moved.done()
                .filter(done -> changed.keptAsDraft() || old.value().keptAsDraft())
                .ifPresent(done -> follow(changed, now));
        return moved;
    }

    /**
     * The scheduler's first step with an index row: a move that broke off is ended, the row made to say what the message's
     * row says, a draft put into the index of drafts, a row without a message removed.
     *
     * @return the message, if there is one
     */
    public Optional<Versioned<Message>> look(ActiveEntry entry, Instant now) {
        Optional<Versioned<Message>> found = moves.look(entry, now);
        if (found.isEmpty()) {
            removeOrphan(entry, now);
        } else if (found.get().value().keptAsDraft() && IndexRows.settled(entry, now)) {
            shelve(entry, found.get().value(), now);
        }
        return found;
    }

    /** Somebody may schedule it just now: scheduling rewrites the index row afterwards, and the truth is looked up again. */
    private void shelve(ActiveEntry entry, Message draft, Instant now) {
        drafts.follow(draft.ref(), () -> rows.truth(draft), now);
        active.delete(entry);
        if (isNoDraft(draft)) {
            active.follow(draft.ref(), () -> rows.truth(draft), now);
        }
    }

    /**
     * Deletes a pending message under its ETag: the row first, then the indexes. A mark stays, and is written before.
     *
     * @return false when the message changed in between; nothing was deleted
     */
    public boolean delete(Versioned<Message> old) {
        rows.markDeleted(old.value().ref());
        if (!rows.delete(old)) {
            return false;
        }
        Message message = old.value();
        rows.forgetDate(message);
        active.delete(message, () -> isGone(message));
        drafts.delete(message, () -> isGone(message));
        return true;
    }

    /** Returns whether somebody set about deleting a message of this reference. */
    boolean wasDeleted(MessageRef ref) {
        return rows.wasDeleted(ref);
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
        boolean active = ConditionalWrites.until("message " + ref, () -> {
            Optional<Versioned<Message>> found = findActive(ref);
            return found.isEmpty() ? Optional.of(false) : recounted(found.get(), sums);
        });
        if (!active) {
            rows.dateOf(ref)
                    .ifPresent(date -> archive.change(date, ref, message -> message.recounted(sums.apply(message))));
        }
    }

    private Optional<Boolean> recounted(Versioned<Message> found, Function<Message, OutcomeCounts> sums) {
        Message message = found.value();
        boolean counted = message.completedAt() != null && message.status().ended();
        Message next = counted ? message.recounted(sums.apply(message)) : message;
        return replace(found, next).done().map(done -> true);
    }

    /** The rows of this message in the archive. */
    public Optional<Message> findArchived(Message message) {
        return archive.find(message.datePartition(), message.ref());
    }

    /**
     * Puts a completed message back under way: index first, then its row, which wins over the archived one, then the index
     * again: a process that is about to remove that as an orphan has an old ETag then.
     */
    public Optional<Versioned<Message>> reactivate(Message reopened, Instant now) {
        active.announce(reopened, now);
        Optional<Versioned<Message>> inserted = rows.insert(reopened).done();
        inserted.ifPresent(done -> active.follow(reopened.ref(), () -> rows.truth(reopened), now));
        return inserted;
    }

    /** Messages that are due some day or under way, as the index names them; of an older version also drafts. */
    public List<ActiveEntry> active() {
        return activeIndex().messages();
    }

    /** The whole index, in one walk. */
    public ActiveIndex activeIndex() {
        return active.all();
    }

    /** Every message that is not final, drafts too, as the indexes name them. */
    public List<ActiveEntry> unfinished() {
        Map<MessageRef, ActiveEntry> entries = new LinkedHashMap<>();
        active().forEach(entry -> entries.put(entry.ref(), entry));
        drafts.all().messages().forEach(entry -> entries.putIfAbsent(entry.ref(), entry));
        return List.copyOf(entries.values());
    }

    /** Messages that may have recipients and are not archived yet: the index says which, their rows say the rest. */
    public List<Message> begun() {
        return find(active()).stream().filter(Message::begun).toList();
    }

    /**
     * Removes an index row that has no message. One whose message is archived goes after a minute, because a reopening writes
     * its index row first; one whose message was never seen goes after a day, because somebody may be about to write it.
     */
    private void removeOrphan(ActiveEntry entry, Instant now) {
        boolean archived = archive.find(entry.date(), entry.ref()).isPresent();
        active.deleteOrphan(entry, archived, now);
        findAt(entry.date(), entry.ref())
                .filter(there -> active.find(entry.ref()).isEmpty())
                .ifPresent(there -> active.follow(entry.ref(), () -> rows.truth(there.value()), now));
    }

    /** Puts the index of drafts right, long after it was written: messages that are no drafts are in {@code .active}, or gone. */
    public void sweepDrafts(Instant now) {
        for (ActiveEntry entry : drafts.all().messages()) {
            Optional<Message> found = rows.find(entry).map(Versioned::value);
            if (found.isEmpty()) {
                drafts.deleteOrphan(entry, find(entry.ref()).isPresent(), now);
            } else if (IndexRows.settled(entry, now)) {
                follow(found.get(), now);
            }
        }
    }

    /** The message in the archive under its date. */
    public Optional<Message> findArchived(String date, MessageRef ref) {
        return archive.find(date, ref);
    }

    /** Changes a message in the archive under its date, if it is there. */
    public void changeArchived(String date, MessageRef ref, UnaryOperator<Message> change) {
        archive.change(date, ref, change);
    }

    /** Final messages that were due before an instant, newest first, read page by page. */
    public Stream<Message> sentBefore(Instant instant) {
        return archive.dueBefore(instant);
    }

    /** Final messages, newest date first. */
    public Page<Message> sent(int limit, @Nullable String continuation) {
        return archive.page(limit, continuation);
    }
}

package org.azuremail.message;

import java.time.Instant;
import java.util.Comparator;
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
import org.springframework.util.Assert;

/**
 * Message rows and their indexes. A message is a row under its UTC date in {@code message} until it is final, then in
 * {@code messagearchive}. The index {@code .active} names every message that is scheduled or under way. It is written
 * first and deleted last, so that a crash leaves at most a superfluous index row, never a message that no process
 * finds. Drafts are in the index {@code .drafts}, which the scheduler need not read. Both indexes are hints that may be
 * outdated; the message's row is authoritative.
 */
public class MessageStore {

    /** The table of messages and email rows that are not final. */
    public static final String MESSAGE = "message";

    /** The table of outcomes and final messages. */
    public static final String ARCHIVE = "messagearchive";

    /** The partition of the index of messages that are not final; the scheduler polls nothing else. */
    public static final String ACTIVE = ".active";

    private static final String DRAFTS = ".drafts";

    private final MessageRows rows;
    private final MessageIndex active;
    private final MessageIndex drafts;
    private final MessageMover mover;
    private final MessageArchive archive;

    public MessageStore(TableStore tables) {
        this.active = new MessageIndex(tables, ACTIVE);
        this.drafts = new MessageIndex(tables, DRAFTS);
        this.rows = new MessageRows(tables, active);
        this.archive = new MessageArchive(tables);
        this.mover = new MessageMover(rows, active, archive);
        tables.createTable(MESSAGE);
        tables.createTable(ARCHIVE);
    }

    /** A message that is not final, as its index names it. */
    public record ActiveEntry(
            MessageRef ref, String date, List<ListName> lists, Instant due, Instant since, String etag) {

        /** The order of pages: by date, then creation. */
        public static final Comparator<ActiveEntry> ORDER =
                Comparator.comparing(ActiveEntry::due).thenComparing(ActiveEntry::ref);
    }

    /**
     * Everything that waits for the scheduler.
     *
     * @param others rows of other features, by their own keys
     */
    public record ActiveIndex(List<ActiveEntry> messages, List<Row> others) {}

    /**
     * Saves a new message: first the index row, then the message row. Then the index is read again, because an index
     * row without a message may have been deleted meanwhile.
     *
     * @return empty when another message has this reference
     */
    public Optional<Versioned<Message>> insert(Message message, Instant now) {
        MessageIndex index = message.keptAsDraft() ? drafts : active;
        index.announce(message, now);
        rows.announceDate(message);
        Saved<Message> saved = rows.insert(message);
        if (index.find(message.ref()).isEmpty()) {
            index.update(message.ref(), () -> rows.reload(message), now);
        }
        return saved.done();
    }

    /**
     * Finds a message that is not final, to be changed under its ETag. If a move was interrupted just before the index
     * was updated, {@code .ref} contains its date.
     */
    public Optional<Versioned<Message>> findActive(MessageRef ref) {
        return rows.findActive(ref);
    }

    /** Finds the message row under a date. A row that is being moved away counts as absent. */
    public Optional<Versioned<Message>> findAt(String date, MessageRef ref) {
        return rows.findAt(date, ref);
    }

    /** Returns the messages that exist, read in parallel, in the order of the entries. */
    public List<Message> find(List<ActiveEntry> entries) {
        return rows.find(entries);
    }

    /** Finds a message, final or not; an active row takes precedence over an archived one. */
    public Optional<Message> find(MessageRef ref) {
        Optional<Message> found =
                active.find(ref).flatMap(entry -> findAt(entry.date(), ref)).map(Versioned::value);
        return found.or(() -> rows.dateOf(ref)
                .flatMap(date -> findAt(date, ref).map(Versioned::value).or(() -> archive.find(date, ref))));
    }

    /**
     * Finds a message even while it is being moved to another date, for callers that have to know whether it still
     * exists.
     */
    public Optional<Message> findIncludingMoving(MessageRef ref) {
        Optional<String> date = rows.dateOf(ref);
        while (date.isPresent()) {
            String existing = date.get();
            Optional<Message> found =
                    rows.findInAnyStatus(existing, ref).map(Versioned::value).or(() -> archive.find(existing, ref));
            if (found.isPresent()) {
                return found;
            }
            date = rows.dateOf(ref).filter(now -> !now.equals(existing));
        }
        return Optional.empty();
    }

    /**
     * Changes an active message that must still have the ETag, without a change that affects an index.
     *
     * @throws IllegalArgumentException when the change affects an index
     */
    public Saved<Message> replace(Versioned<Message> old, Message changed) {
        Assert.isTrue(
                !affectsIndex(old.value(), changed) && !resumesSending(old.value(), changed),
                "the indexes have to follow this change of message " + changed.ref());
        return rows.replace(old, changed);
    }

    /**
     * Changes an active message that must still have the ETag, without moving it. If it stops being a draft, it is
     * added to {@code .active} before the change. If its lists or its instant change, the indexes are updated
     * afterwards. If a paused message is resumed, its row in {@code .active} is rewritten before, because otherwise the
     * scheduler might not check the message for an hour.
     */
    public Saved<Message> replace(Versioned<Message> old, Message changed, Instant now) {
        Message before = old.value();
        if ((before.keptAsDraft() && !changed.keptAsDraft()) || resumesSending(before, changed)) {
            active.announce(before, now);
        } else if (changed.keptAsDraft() && !before.keptAsDraft()) {
            drafts.announce(before, now);
        }
        Saved<Message> saved = rows.replace(old, changed);
        saved.done().filter(done -> affectsIndex(before, changed)).ifPresent(done -> follow(changed, now));
        return saved;
    }

    /** Returns whether a message that was paused after its sending began is resumed, cancelled or reopened. */
    private static boolean resumesSending(Message before, Message after) {
        return before.begun()
                && before.paused()
                && before.state().reopening() == null
                && (!after.paused() || after.state().reopening() != null);
    }

    private static boolean affectsIndex(Message before, Message after) {
        return before.keptAsDraft() != after.keptAsDraft()
                || !before.lists().equals(after.lists())
                || !before.scheduledDate().equals(after.scheduledDate());
    }

    /** Updates the indexes. A superfluous row in {@code .active} is left to the scheduler's next pass. */
    private void follow(Message message, Instant now) {
        (message.keptAsDraft() ? drafts : active).update(message.ref(), () -> rows.reload(message), now);
        if (!message.keptAsDraft()) {
            drafts.delete(message, () -> isNoDraft(message));
        }
    }

    private boolean isNoDraft(Message message) {
        return rows.reload(message).filter(Message::keptAsDraft).isEmpty();
    }

    /**
     * Changes a pending message, and moves it if its date changes. A crash in between leaves a row in status Moving;
     * {@link #resolve} finishes the move.
     */
    public Saved<Message> move(Versioned<Message> old, Message changed, Instant now) {
        if (old.value().datePartition().equals(changed.datePartition())) {
            return replace(old, changed, now);
        }
        Saved<Message> moved = mover.move(old, changed, now);
        moved.done()
                .filter(done -> changed.keptAsDraft() || old.value().keptAsDraft())
                .ifPresent(done -> follow(changed, now));
        return moved;
    }

    /**
     * Takes the scheduler's first step with an index row: finishes an interrupted move, updates the row from the
     * message's row, moves a draft into the index of drafts, and removes a row without a message.
     *
     * @return the message, if it exists
     */
    public Optional<Versioned<Message>> resolve(ActiveEntry entry, Instant now) {
        Optional<Versioned<Message>> found = mover.resolve(entry, now);
        if (found.isEmpty()) {
            removeOrphan(entry, now);
        } else if (found.get().value().keptAsDraft() && MessageIndex.settled(entry, now)) {
            moveToDraftIndex(entry, found.get().value(), now);
        }
        return found;
    }

    /**
     * Moves the row of a draft into the index of drafts. The draft may be scheduled at the same moment, which rewrites
     * the index row afterwards, so the message's row is read again.
     */
    private void moveToDraftIndex(ActiveEntry entry, Message draft, Instant now) {
        drafts.update(draft.ref(), () -> rows.reload(draft), now);
        active.delete(entry);
        if (isNoDraft(draft)) {
            active.update(draft.ref(), () -> rows.reload(draft), now);
        }
    }

    /**
     * Deletes a pending message under its ETag: first the row, then the indexes. A permanent mark is written before.
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

    /** Returns whether a process began to delete a message of this reference. */
    boolean wasDeleted(MessageRef ref) {
        return rows.wasDeleted(ref);
    }

    /**
     * Moves a message whose status has ended to the archive: first the archive row and its index, then the row,
     * {@code .active} last. Repeatable at every step.
     */
    public void archive(Versioned<Message> ended) {
        Message message = ended.value();
        archive.put(message, () -> rows.isAt(message.datePartition(), ended));
        if (rows.delete(ended)) {
            active.delete(message, () -> isGone(message));
        }
    }

    private boolean isGone(Message message) {
        return rows.findInAnyStatus(message.datePartition(), message.ref()).isEmpty();
    }

    /**
     * Corrects the sums of a message that has ended, archived or not. A message that has not ended is rewritten
     * unchanged, so that a process that is about to end it with old sums is refused.
     */
    public void recountEnded(MessageRef ref, Function<Message, OutcomeCounts> sums) {
        boolean active = ConditionalWrites.retry("message " + ref, () -> {
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

    /** Finds this message in the archive. */
    public Optional<Message> findArchived(Message message) {
        return archive.find(message.datePartition(), message.ref());
    }

    /**
     * Puts a completed message back under way: first the index, then its row, which takes precedence over the archived
     * one, then the index again, so that a process that is about to remove the index row as an orphan has an outdated
     * ETag.
     */
    public Optional<Versioned<Message>> reactivate(Message reopened, Instant now) {
        active.announce(reopened, now);
        Optional<Versioned<Message>> inserted = rows.insert(reopened).done();
        inserted.ifPresent(done -> active.update(reopened.ref(), () -> rows.reload(reopened), now));
        return inserted;
    }

    /**
     * Returns messages that are scheduled or under way, as the index names them; rows of an older version also name
     * drafts.
     */
    public List<ActiveEntry> active() {
        return activeIndex().messages();
    }

    /** Returns the whole index, in one walk. */
    public ActiveIndex activeIndex() {
        return active.all();
    }

    /** Returns every message that is not final, including drafts, as the indexes name them. */
    public List<ActiveEntry> unfinished() {
        Map<MessageRef, ActiveEntry> entries = new LinkedHashMap<>();
        active().forEach(entry -> entries.put(entry.ref(), entry));
        drafts.all().messages().forEach(entry -> entries.putIfAbsent(entry.ref(), entry));
        return List.copyOf(entries.values());
    }

    /** Returns the number of drafts as their index names them, or the limit if there are more. */
    public int countDrafts(int limit) {
        return drafts.count(limit);
    }

    /** Returns messages that may have recipients and are not archived yet, as the index and their rows show them. */
    public List<Message> begun() {
        return find(active()).stream().filter(Message::begun).toList();
    }

    /**
     * Removes an index row that has no message. If the message is archived, the row is removed after a minute, because
     * a reopening writes its index row first. If the message was never found, the row is removed after a day, because a
     * process may be about to write the message.
     */
    private void removeOrphan(ActiveEntry entry, Instant now) {
        boolean archived = archive.find(entry.date(), entry.ref()).isPresent();
        active.deleteOrphan(entry, archived, now);
        findAt(entry.date(), entry.ref())
                .filter(existing -> active.find(entry.ref()).isEmpty())
                .ifPresent(existing -> active.update(entry.ref(), () -> rows.reload(existing.value()), now));
    }

    /**
     * Repairs the index of drafts, long after its rows were written. Messages that are not drafts are in
     * {@code .active}, or were deleted.
     */
    public void sweepDrafts(Instant now) {
        for (ActiveEntry entry : drafts.all().messages()) {
            Optional<Message> found = rows.find(entry).map(Versioned::value);
            if (found.isEmpty()) {
                drafts.deleteOrphan(entry, find(entry.ref()).isPresent(), now);
            } else if (MessageIndex.settled(entry, now)) {
                follow(found.get(), now);
            }
        }
    }

    /** Finds the message in the archive under its date. */
    public Optional<Message> findArchived(String date, MessageRef ref) {
        return archive.find(date, ref);
    }

    /** Returns every final message, oldest date first, with one call for each thousand. */
    public Stream<Message> archived() {
        return archive.all();
    }

    /** Changes a message in the archive under its date, if it exists. */
    public void changeArchived(String date, MessageRef ref, UnaryOperator<Message> change) {
        archive.change(date, ref, change);
    }

    /** Returns final messages that were due before an instant, newest first, read page by page. */
    public Stream<Message> sentBefore(Instant instant) {
        return archive.dueBefore(instant);
    }

    /** Returns final messages, newest date first. */
    public Page<Message> sent(int limit, @Nullable String continuation) {
        return archive.page(limit, continuation);
    }
}

package org.azuremail.message;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;

/**
 * Moves a pending message to another date: the old row is marked Moving, the new row is inserted, the indexes are
 * updated, and the old row is deleted. The process that finds a row in Moving finishes the move.
 */
record MessageMover(MessageRows rows, MessageIndex active, MessageArchive archive) {

    /**
     * Moves a message. The scheduler's next pass finishes an interrupted move, even of a draft, because {@code .active}
     * names the message meanwhile.
     */
    Saved<Message> move(Versioned<Message> old, Message changed, Instant now) {
        String oldDate = old.value().datePartition();
        Optional<ActiveEntry> entry = active.find(old.value().ref());
        entry.filter(existing -> !existing.date().equals(oldDate)).ifPresent(existing -> resolve(existing, now));
        if (old.value().keptAsDraft()) {
            active.announce(old.value(), now);
        }
        Saved<Message> moving = rows.markMoving(old, changed);
        return moving.done().map(marked -> finish(oldDate, marked, now)).orElse(moving);
    }

    /**
     * Returns the message that an index row names, after finishing an interrupted move and updating the index.
     *
     * @return empty when the message does not exist
     */
    Optional<Versioned<Message>> resolve(ActiveEntry entry, Instant now) {
        Optional<Versioned<Message>> existing = rows.findInAnyStatus(entry.date(), entry.ref());
        if (existing.isPresent() && existing.get().value().status() == MessageStatus.MOVING) {
            existing = finish(entry.date(), existing.get(), now).done();
        }
        Optional<Versioned<Message>> found = existing.isPresent() ? existing : rows.findActive(entry.ref());
        found.map(Versioned::value)
                .filter(message -> !message.keptAsDraft() && !matches(entry, message))
                .ifPresent(message -> active.update(entry.ref(), () -> rows.reload(message), now));
        return found;
    }

    private static boolean matches(ActiveEntry entry, Message message) {
        return entry.date().equals(message.datePartition())
                && entry.lists().equals(message.lists())
                && entry.due().equals(message.scheduledDate());
    }

    /** Finishes a move. The index is updated last: while it names the old date, the move is found and finished. */
    private Saved<Message> finish(String oldDate, Versioned<Message> moving, Instant now) {
        Message moved = moving.value().become(MessageStatus.PENDING);
        Saved<Message> arrived = arrive(oldDate, moving, moved);
        if (arrived.done().isPresent()) {
            rows.updateDate(moved);
            rows.deleteMoved(oldDate, moving);
            active.update(moved.ref(), () -> rows.reload(moved), now);
        }
        return arrived;
    }

    /**
     * Writes the message under its new date. While the old row is unchanged, no process has finished this move, so an
     * existing row at the new date is from another process that is finishing it too, or from an earlier move. The row
     * is written in any case, so that a process that is about to take it back has an outdated ETag.
     */
    private Saved<Message> arrive(String oldDate, Versioned<Message> moving, Message moved) {
        Saved<Message> inserted = rows.insert(moved);
        Optional<Versioned<Message>> existing =
                inserted instanceof Saved.Conflict<Message> before ? Optional.of(before.current()) : inserted.done();
        if (existing.isPresent() && rows.isAt(oldDate, moving)) {
            Message at = existing.get().value();
            boolean known = at.status() != MessageStatus.MOVING && isAtRecordedDate(moved);
            return rows.replace(existing.get(), known ? at : moved);
        }
        if (inserted.done().isPresent() && isSuperseded(moved)) {
            rows.delete(inserted.done().get());
            return rows.findActive(moved.ref())
                    .<Saved<Message>>map(Saved.Conflict::new)
                    .orElseGet(Saved.Missing::new);
        }
        return inserted;
    }

    /**
     * Returns whether the message has changed its date or was archived since another process finished the move. A row
     * that was inserted after that is superfluous.
     */
    private boolean isSuperseded(Message moved) {
        return !isAtRecordedDate(moved)
                || archive.find(moved.datePartition(), moved.ref()).isPresent();
    }

    private boolean isAtRecordedDate(Message moved) {
        return rows.dateOf(moved.ref()).filter(moved.datePartition()::equals).isPresent();
    }
}

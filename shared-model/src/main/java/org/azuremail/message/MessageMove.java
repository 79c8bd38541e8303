package org.azuremail.message;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;

/**
 * A pending message under another date: the old row is marked Moving, the new one inserted, the indexes point to it, the old
 * row goes. The process that finds a row in Moving finishes the move.
 */
record MessageMove(MessageRows rows, IndexRows active, MessageArchive archive) {

    /** The scheduler's look ends what breaks off here, also the move of a draft: {@code .active} names it meanwhile. */
    Saved<Message> move(Versioned<Message> old, Message changed, Instant now) {
        String oldDate = old.value().datePartition();
        Optional<ActiveEntry> entry = active.find(old.value().ref());
        entry.filter(there -> !there.date().equals(oldDate)).ifPresent(there -> look(there, now));
        if (old.value().keptAsDraft()) {
            active.announce(old.value(), now);
        }
        Saved<Message> moving = rows.markMoving(old, changed);
        return moving.done().map(marked -> finish(oldDate, marked, now)).orElse(moving);
    }

    /**
     * The message that an index row names, as it stands once a move that broke off is ended and the index put right.
     *
     * @return empty when there is none
     */
    Optional<Versioned<Message>> look(ActiveEntry entry, Instant now) {
        Optional<Versioned<Message>> there = rows.at(entry.date(), entry.ref());
        if (there.isPresent() && there.get().value().status() == MessageStatus.MOVING) {
            there = finish(entry.date(), there.get(), now).done();
        }
        Optional<Versioned<Message>> found = there.isPresent() ? there : rows.findActive(entry.ref());
        found.map(Versioned::value)
                .filter(message -> !message.keptAsDraft() && !says(entry, message))
                .ifPresent(message -> active.follow(entry.ref(), () -> rows.truth(message), now));
        return found;
    }

    private static boolean says(ActiveEntry entry, Message message) {
        return entry.date().equals(message.datePartition())
                && entry.lists().equals(message.lists())
                && entry.due().equals(message.scheduledDate());
    }

    /** The index comes last: as long as it names the old date, the move is found and ended. */
    private Saved<Message> finish(String oldDate, Versioned<Message> moving, Instant now) {
        Message moved = moving.value().become(MessageStatus.PENDING);
        Saved<Message> arrived = arrive(oldDate, moving, moved);
        if (arrived.done().isPresent()) {
            rows.tellDate(moved);
            rows.deleteMoved(oldDate, moving);
            active.follow(moved.ref(), () -> rows.truth(moved), now);
        }
        return arrived;
    }

    /**
     * Puts the message under its new date. As long as the old row is as it was marked, nobody has ended this move: then what is
     * there already was put there by somebody who ends it too, or was left behind by an earlier move. It is written in any
     * case, so that its ETag is new to whoever is about to take it back.
     */
    private Saved<Message> arrive(String oldDate, Versioned<Message> moving, Message moved) {
        Saved<Message> inserted = rows.insert(moved);
        Optional<Versioned<Message>> there =
                inserted instanceof Saved.Conflict<Message> before ? Optional.of(before.current()) : inserted.done();
        if (there.isPresent() && rows.isAt(oldDate, moving)) {
            Message at = there.get().value();
            boolean known = at.status() != MessageStatus.MOVING && isWhereItIsSaidToBe(moved);
            return rows.replace(there.get(), known ? at : moved);
        }
        if (inserted.done().isPresent() && isElsewhere(moved)) {
            rows.delete(inserted.done().get());
            return rows.findActive(moved.ref())
                    .<Saved<Message>>map(Saved.Conflict::new)
                    .orElseGet(Saved.Missing::new);
        }
        return inserted;
    }

    /** Returns whether a message whose move others have ended has gone on since: what was put here after that is one too many. */
    private boolean isElsewhere(Message moved) {
        return !isWhereItIsSaidToBe(moved)
                || archive.find(moved.datePartition(), moved.ref()).isPresent();
    }

    private boolean isWhereItIsSaidToBe(Message moved) {
        return rows.dateOf(moved.ref()).filter(moved.datePartition()::equals).isPresent();
    }
}

package org.azuremail.message;

import java.time.Instant;
import java.util.Optional;
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;

/**
 * A pending message under another date: the old row is marked Moving, the new one inserted, the indexes point to it, the old
 * row goes. Whoever finds a row that is Moving ends what broke off.
 */
final class MessageMove {

    private final MessageRows rows;
    private final ActiveRows active;

    MessageMove(MessageRows rows, ActiveRows active) {
        this.rows = rows;
        this.active = active;
    }

    Saved<Message> move(Versioned<Message> old, Message changed, Instant now) {
        String oldDate = old.value().datePartition();
        if (oldDate.equals(changed.datePartition())) {
            Saved<Message> saved = rows.replace(old, changed);
            saved.done().ifPresent(done -> active.put(done.value(), now));
            return saved;
        }
        Saved<Message> moving = rows.markMoving(old, changed);
        return moving.done().isPresent() ? finish(oldDate, changed, now) : moving;
    }

    void finish(ActiveEntry entry, Instant now) {
        Optional<Versioned<Message>> there = rows.at(entry.date(), entry.ref());
        if (there.isPresent() && there.get().value().status() == MessageStatus.MOVING) {
            finish(entry.date(), there.get().value().become(MessageStatus.PENDING), now);
        } else if (there.isEmpty()) {
            rows.findActive(entry.ref())
                    .filter(moved -> !moved.value().datePartition().equals(entry.date()))
                    .ifPresent(moved -> active.put(moved.value(), now));
        }
    }

    /** The index comes last: as long as it names the old date, the move is found and ended. */
    private Saved<Message> finish(String oldDate, Message moved, Instant now) {
        Saved<Message> inserted = rows.insert(moved);
        rows.tellDate(moved);
        rows.deleteAt(oldDate, moved.ref());
        active.put(moved, now);
        return inserted instanceof Saved.Conflict<Message> there ? new Saved.Done<>(there.current()) : inserted;
    }
}

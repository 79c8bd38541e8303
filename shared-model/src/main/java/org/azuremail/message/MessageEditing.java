package org.azuremail.message;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.azuremail.content.MessageBodies;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.content.TextPart;
import org.azuremail.id.CompactIds;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.Messages.Change;
import org.azuremail.message.Messages.Editing;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;

/**
 * Changing a message. The bodies of a change go under a revision of their own before the row names it, so that a refused
 * change leaves the old message as it was.
 */
final class MessageEditing {

    private static final Editing NOT_PENDING =
            new Editing.NotEditable("Message can't be edited because it isn't in Pending status.");

    private final MessageStore store;
    private final MessageBlobs blobs;
    private final ListStore lists;
    private final MessageBodies bodies;
    private final CompactIds ids;
    private final Signals signals;
    private final Time time;

    MessageEditing(
            MessageStore store,
            MessageBlobs blobs,
            ListStore lists,
            MessageBodies bodies,
            CompactIds ids,
            Signals signals,
            Time time) {
        this.store = store;
        this.blobs = blobs;
        this.lists = lists;
        this.bodies = bodies;
        this.ids = ids;
        this.signals = signals;
        this.time = time;
    }

    Editing edit(MessageRef ref, String etag, Change change) {
        Optional<Versioned<Message>> found = store.findActive(ref);
        if (found.isEmpty()) {
            return store.find(ref).isPresent() ? NOT_PENDING : new Editing.Missing();
        }
        Versioned<Message> current = found.get();
        if (!current.value().contentEditable()) {
            return NOT_PENDING;
        }
        if (!current.etag().equals(etag)) {
            return new Editing.Conflict(current);
        }
        if (!current.value().editable() && movesSomething(current.value(), change)) {
            return new Editing.NotEditable("List and date can't be changed any more: the message is going out.");
        }
        return check(current, change);
    }

    private static boolean movesSomething(Message old, Change change) {
        return !change.list().equals(old.list()) || !change.schedule().due().equals(old.scheduledDate());
    }

    private Editing check(Versioned<Message> current, Change change) {
        Message old = current.value();
        Optional<MailingList> list = lists.findActive(change.list());
        if (list.isEmpty()) {
            return new Editing.Refused(List.of(Messages.noSuchList(change.list())));
        }
        Bodies before = blobs.read(old.ref(), old.revision()).orElse(new Bodies("", ""));
        Checked checked = bodies.check(draft(old, change, before), list.get().attributes());
        if (checked instanceof Checked.Refused refused) {
            return new Editing.Refused(refused.problems());
        }
        Checked.Valid valid = (Checked.Valid) checked;
        int revision = putBodies(old, before, changed(old, before, valid));
        Message changed = old.change(c -> c.list(change.list(), list.get().shards())
                .subject(valid.subject())
                .schedule(change.schedule().due(), change.schedule().zone())
                .onUnknown(change.onUnknown())
                .content(revision, valid.textPart()));
        return save(current, old.editable() ? held(changed, change.hold()) : changed);
    }

    private static Message held(Message changed, Hold hold) {
        return switch (hold) {
            case AS_IT_WAS -> changed;
            case DRAFT -> changed.change(MessageChanges::draft);
            case AT_ITS_DATE ->
                changed.pauseReason().none() ? changed.change(c -> c.paused(false, Reason.NONE)) : changed;
        };
    }

    /** A text part that was generated is generated again, also where a form or a caller sends it back as it was. */
    private static Draft draft(Message old, Change change, Bodies before) {
        String text = change.text() == null ? before.text() : new String(change.text(), StandardCharsets.UTF_8);
        boolean generate = Messages.textGenerated(old, before) && words(text).equals(words(before.text()));
        byte[] stored = before.text().getBytes(StandardCharsets.UTF_8);
        return new Draft(
                change.subject(),
                change.html() == null ? before.html().getBytes(StandardCharsets.UTF_8) : change.html(),
                generate ? null : change.text() == null ? stored : change.text());
    }

    private static String words(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    /** A generated text stays word for word as long as nothing changes that it was made from. */
    private static Bodies changed(Message old, Bodies before, Checked.Valid valid) {
        boolean same = valid.html().equals(before.html()) && valid.subject().equals(old.subject());
        boolean kept = same && valid.textPart() == TextPart.GENERATED && Messages.textGenerated(old, before);
        return new Bodies(valid.html(), kept ? before.text() : valid.text());
    }

    /** The revision under which these bodies stand: the old one as long as they are the same. */
    private int putBodies(Message old, Bodies before, Bodies after) {
        if (after.equals(before)) {
            return old.revision();
        }
        int revision = freeRevision(old);
        blobs.put(old.ref(), revision, after);
        return revision;
    }

    /** A number that no other writer of this message chose: two editors at once never share a blob. */
    private int freeRevision(Message old) {
        return (int) Math.max(old.revision() + 1L, ids.next("revision") % Integer.MAX_VALUE);
    }

    private Editing save(Versioned<Message> current, Message changed) {
        boolean pending = current.value().editable();
        Saved<Message> saved = pending
                ? store.move(current, changed, time.instant())
                : store.replace(current, changed, time.instant());
        signals.runSoon(Messages.DUE_MESSAGES);
        if (saved instanceof Saved.Done<Message> done) {
            return new Editing.Edited(done.now());
        }
        if (saved instanceof Saved.Conflict<Message> conflict) {
            boolean taken = pending && !conflict.current().value().editable();
            return taken ? NOT_PENDING : new Editing.Conflict(conflict.current());
        }
        return new Editing.Missing();
    }
}

package org.azuremail.message;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.content.MessageBodies;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.content.TextPart;
import org.azuremail.id.CompactIds;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Writing, changing and deleting messages. List and date change only while Pending, subject and bodies also while paused;
 * the scheduler may take a message at any moment, and then the change is refused and nothing is lost.
 */
public class Messages {

    /** The scheduled service that looks at active messages. */
    public static final String DUE_MESSAGES = "due-messages";

    private final MessageStore store;
    private final MessageBlobs blobs;
    private final ListStore lists;
    private final MessageBodies bodies;
    private final CompactIds ids;
    private final Signals signals;
    private final Time time;
    private final MessageEditing editing;

    public Messages(
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
        this.editing = new MessageEditing(store, blobs, lists, bodies, ids, signals, time);
    }

    /**
     * What somebody wants to send, to whom and when.
     *
     * @param held it is stored as a draft, so that nothing goes out before somebody says so
     */
    public record NewMessage(
            ListName list, Draft draft, Schedule schedule, OnUnknown onUnknown, String by, boolean held) {

        public NewMessage(ListName list, Draft draft, Schedule schedule, OnUnknown onUnknown, String by) {
            this(list, draft, schedule, onUnknown, by, false);
        }
    }

    /**
     * What is to change; {@code null} leaves a part as it is. A text part that was generated follows the HTML.
     *
     * @param html each upload replaces its own body and no other
     * @param text a blank one, and one that is the generated one, means to generate it from the HTML
     * @param hold whether it goes out at its date afterwards
     */
    public record Change(
            ListName list,
            String subject,
            byte @Nullable [] html,
            byte @Nullable [] text,
            Schedule schedule,
            OnUnknown onUnknown,
            Hold hold) {

        public Change(
                ListName list,
                String subject,
                byte @Nullable [] html,
                byte @Nullable [] text,
                Schedule schedule,
                OnUnknown onUnknown) {
            this(list, subject, html, text, schedule, onUnknown, Hold.AS_IT_WAS);
        }
    }

    /** What became of a new message. */
    public sealed interface Creation {

        /** Stored, Pending. */
        record Created(Message message) implements Creation {}

        /** Not stored, for at least one reason. */
        record Refused(List<Problem> problems) implements Creation {}
    }

    /** What became of a change. */
    public sealed interface Editing {

        /** Stored. */
        record Edited(Versioned<Message> message) implements Editing {}

        /** Nothing was changed: what was asked for is not possible. */
        record Refused(List<Problem> problems) implements Editing {}

        /** Nothing was changed: somebody else saved in between. */
        record Conflict(Versioned<Message> current) implements Editing {}

        /** Nothing was changed: it is not in a status that allows this. */
        record NotEditable(String reason) implements Editing {}

        /** There is no such message. */
        record Missing() implements Editing {}
    }

    /** What became of a deletion. */
    public enum Deletion {
        DELETED,
        NOT_PENDING,
        MISSING
    }

    /** A name for a message that is to be created. One that is not used leaves a gap. */
    public MessageRef nextRef() {
        return new MessageRef(ids.next("message"));
    }

    /** Stores the bodies, then the message; the scheduler is told when it is due. */
    public Creation create(NewMessage wanted) {
        return create(nextRef(), wanted);
    }

    /** The same under a name that was chosen before, of a message that is not there. */
    public Creation create(MessageRef ref, NewMessage wanted) {
        Optional<MailingList> list = lists.findActive(wanted.list());
        if (list.isEmpty()) {
            return new Creation.Refused(List.of(noSuchList(wanted.list())));
        }
        Checked checked = bodies.check(wanted.draft(), list.get().attributes());
        if (checked instanceof Checked.Refused refused) {
            return new Creation.Refused(refused.problems());
        }
        Checked.Valid valid = (Checked.Valid) checked;
        blobs.put(ref, 0, new Bodies(valid.html(), valid.text()));
        Instant now = time.instant();
        Message message = store.insert(Message.pending(ref, wanted, valid, list.get(), now), now)
                .value();
        signals.runSoon(DUE_MESSAGES);
        return new Creation.Created(message);
    }

    /** Why {@link #create} would refuse this, without storing anything; empty when it would not. */
    public List<Problem> problems(ListName wanted, Draft draft) {
        Optional<MailingList> list = lists.findActive(wanted);
        if (list.isEmpty()) {
            return List.of(noSuchList(wanted));
        }
        return bodies.check(draft, list.get().attributes()) instanceof Checked.Refused refused
                ? refused.problems()
                : List.of();
    }

    static Problem noSuchList(ListName list) {
        return new Problem("list", "No such list " + list + ".");
    }

    /** The message, final or not. */
    public Optional<Message> find(MessageRef ref) {
        return store.find(ref);
    }

    /** The message with the ETag for a change; empty when it is final or absent. */
    public Optional<Versioned<Message>> findActive(MessageRef ref) {
        return store.findActive(ref);
    }

    /** The bodies as they go out now. */
    public Optional<Bodies> bodies(Message message) {
        return blobs.read(message.ref(), message.revision());
    }

    /** Whether the text part of these bodies was generated from the HTML, not written by somebody. */
    public static boolean textGenerated(Message message, Bodies bodies) {
        TextPart known = message.textPart();
        TextPart part = known == null ? MessageBodies.guess(message.subject(), bodies.html(), bodies.text()) : known;
        return part == TextPart.GENERATED;
    }

    /** Messages that are not final, in order of date, then creation. */
    public List<Message> active() {
        return store.find(ActiveWalk.after(null, store.unfinished()));
    }

    /**
     * A page of them.
     *
     * @param messages may be fewer than asked for while there is a cursor
     * @param cursor goes into the next call; {@code null} at the end
     */
    public record ActivePage(
            List<Message> messages, @Nullable String cursor) {}

    /**
     * The same, page by page: reads the index and the rows of this page alone.
     *
     * @param limit at least 1
     * @throws IllegalArgumentException when the cursor is none of ours
     */
    public ActivePage active(int limit, @Nullable String cursor) {
        List<MessageStore.ActiveEntry> rest = ActiveWalk.after(cursor, store.unfinished());
        List<MessageStore.ActiveEntry> shown = rest.subList(0, Math.min(limit, rest.size()));
        return new ActivePage(store.find(shown), rest.size() > limit ? ActiveWalk.cursor(shown.get(limit - 1)) : null);
    }

    /**
     * Changes a message that is still at the ETag.
     *
     * @param etag what the form was made from
     */
    public Editing edit(MessageRef ref, String etag, Change change) {
        return editing.edit(ref, etag, change);
    }

    /** Deletes a message while it is Pending: its row first, then its bodies. */
    public Deletion delete(MessageRef ref) {
        Optional<Versioned<Message>> found = store.findActive(ref);
        if (found.isEmpty()) {
            return store.find(ref).isPresent() ? Deletion.NOT_PENDING : Deletion.MISSING;
        }
        return delete(found.get()) ? Deletion.DELETED : Deletion.NOT_PENDING;
    }

    /**
     * Deletes a message as it was read, while it is Pending. {@code false} when it is not, or somebody changed it since: then
     * nothing was done.
     */
    public boolean delete(Versioned<Message> read) {
        Message message = read.value();
        if (!message.editable() || !store.delete(read)) {
            return false;
        }
        blobs.delete(message.ref(), message.revision());
        return true;
    }
}

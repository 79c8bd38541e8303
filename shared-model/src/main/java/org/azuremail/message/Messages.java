package org.azuremail.message;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.azuremail.content.Layout;
import org.azuremail.content.Layout.Source;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.content.TextPart;
import org.azuremail.id.CompactIds;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.OnUnknown;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Page;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Writing, changing and deleting messages. List and date change only while Pending, subject and bodies also while paused;
 * the scheduler may take a message at any moment, and then the change is refused and nothing is lost.
 */
public record Messages(
        MessageStore store,
        MessageBlobs blobs,
        AudienceCheck audiences,
        Composition composition,
        MessageEditing editing,
        CompactIds ids,
        Signals signals,
        Time time) {

    /** The scheduled service that looks at active messages. */
    public static final String DUE_MESSAGES = "due-messages";

    /**
     * A message that somebody wants to send, to whom and when.
     *
     * @param mailClass the label of a class; {@code null} lets the plan of the first list decide
     * @param held it is stored as a draft, so that nothing goes out before somebody says so
     * @param unfinished whether somebody is still writing it, so that it need not be fit to be sent; only of a draft
     */
    public record NewMessage(
            Audience audience,
            Draft draft,
            Schedule schedule,
            OnUnknown onUnknown,
            @Nullable String mailClass,
            String by,
            boolean held,
            boolean unfinished) {

        public NewMessage {
            if (unfinished && !held) {
                throw new IllegalArgumentException("what is not finished is a draft");
            }
        }

        public NewMessage(ListName list, Draft draft, Schedule schedule, OnUnknown onUnknown, String by, boolean held) {
            this(Audience.of(list), draft, schedule, onUnknown, null, by, held, false);
        }
    }

    /** Whether a Pending message goes out at its date after a change of it. */
    public enum Hold {
        /** Paused or not, as it was. */
        AS_IT_WAS,
        /** It is a draft from the same write on: nothing goes out before somebody says so. */
        DRAFT,
        /** It goes out at its date, whatever it was paused for: somebody has looked at it and says so. */
        RELEASED
    }

    /**
     * A change of a message; {@code null} leaves a part as it is. A text part that was generated follows the HTML.
     *
     * @param html each upload replaces its own body and no other
     * @param markdown what the HTML is rendered from; with {@code html} instead, the message is written in HTML from then on
     * @param layout what surrounds the content
     * @param text a blank one, and one that is the generated one, means to generate it from the HTML
     * @param mailClass the label of a class; an empty one lets the plan of the first list decide
     * @param hold whether it goes out at its date afterwards; with {@link Hold#DRAFT} the content need not be finished
     */
    public record Change(
            Audience audience,
            String subject,
            byte @Nullable [] html,
            @Nullable String markdown,
            @Nullable Layout layout,
            byte @Nullable [] text,
            Schedule schedule,
            OnUnknown onUnknown,
            @Nullable String mailClass,
            Hold hold) {

        /** A change of the date alone, and of whether it goes out then. */
        public static Change of(Message stored, Schedule date, Hold hold) {
            return new Change(
                    stored.audience(), stored.subject(), null, null, null, null, date, stored.onUnknown(), null, hold);
        }

        @Nullable
        String mailClassAfter(Message old) {
            return mailClass == null ? old.mailClass() : mailClass.isBlank() ? null : mailClass;
        }
    }

    public sealed interface Creation {

        /** Stored, Pending. */
        record Created(Message message) implements Creation {}

        /** Somebody created a message of this reference at the same moment. */
        record Exists(Message message) implements Creation {}

        /** Not stored, for at least one reason. */
        record Refused(List<Problem> problems) implements Creation {}

        /** Not stored any more: it turned out not to be wanted. */
        record Unwanted() implements Creation {}
    }

    public sealed interface Editing {

        record Edited(Versioned<Message> message) implements Editing {}

        /** Nothing was changed: what was asked for is not possible. */
        record Refused(List<Problem> problems) implements Editing {}

        /** Nothing was changed: somebody else saved in between. */
        record Conflict(Versioned<Message> current) implements Editing {}

        /** Nothing was changed: it is not in a status that allows this. */
        record NotEditable(Reason reason) implements Editing {}

        record Missing() implements Editing {}
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
        return create(ref, wanted, () -> true);
    }

    /**
     * The same for a process that may have slept since it decided to.
     *
     * @param stillWanted asked once it is stored; if it is not, it is deleted again, unless it is under way already
     */
    public Creation create(MessageRef ref, NewMessage wanted, BooleanSupplier stillWanted) {
        AudienceCheck.Checked audience = audiences.check(wanted.audience());
        if (!audience.problems().isEmpty()) {
            return new Creation.Refused(audience.problems());
        }
        Checked checked = composition.check(wanted.draft(), audience, wanted.unfinished(), null);
        if (checked instanceof Checked.Refused refused) {
            return new Creation.Refused(refused.problems());
        }
        Checked.Valid valid = (Checked.Valid) checked;
        int revision = blobs.putNew(
                ref, () -> editing.freeRevision(0), new Bodies(valid.html(), valid.text()), valid.source());
        Instant now = time.instant();
        Message message = Message.pending(ref, revision, wanted, valid, audience.shards(), now);
        Optional<Versioned<Message>> first = store.insert(message, now);
        List<Problem> replaced = audiences.replaced(audience);
        if (first.isPresent() && !replaced.isEmpty() && delete(first.get())) {
            return new Creation.Refused(replaced);
        }
        if (first.isPresent() && !stillWanted.getAsBoolean() && delete(first.get())) {
            return new Creation.Unwanted();
        }
        signals.runSoon(DUE_MESSAGES);
        return first.isPresent() ? new Creation.Created(message) : exists(message);
    }

    /** Deletes what was stored for the message that came too late, unless the other one is this very message. */
    private Creation exists(Message late) {
        Message there = find(late.ref()).orElse(late);
        if (there.content().revision() != late.content().revision()) {
            blobs.delete(late.ref(), late.content().revision());
        }
        return new Creation.Exists(there);
    }

    /** The source of the HTML; empty when it is as it was written. */
    public Optional<Source> source(Message message) {
        return blobs.source(message.ref(), message.content().revision());
    }

    public Draft draft(Message message, Bodies bodies) {
        return draft(message, bodies, source(message).orElse(null));
    }

    private static Draft draft(Message message, Bodies bodies, @Nullable Source source) {
        byte[] text = textGenerated(message, bodies) ? null : bodies.text().getBytes(StandardCharsets.UTF_8);
        return Draft.of(message.subject(), bodies.html(), text, source);
    }

    /** Both bodies of something that is being written, without storing it. */
    public Checked compose(MailingList list, Draft draft) {
        return composition.check(draft, list, list.attributes(), true);
    }

    /** Returns the reasons why a message as it is stored cannot be sent; empty when it can. */
    public List<Problem> problems(Message message) {
        Bodies stored = bodies(message).orElse(new Bodies("", ""));
        Source source = source(message).orElse(null);
        Draft draft = draft(message, stored, source);
        return problems(message.audience(), draft, source == null ? null : stored.html());
    }

    /** Returns the reasons why {@link #create} would refuse this, without storing anything; empty when it would not. */
    public List<Problem> problems(Audience wanted, Draft draft) {
        return problems(wanted, draft, null);
    }

    private List<Problem> problems(Audience wanted, Draft draft, @Nullable String rendered) {
        AudienceCheck.Checked audience = audiences.check(wanted);
        if (!audience.problems().isEmpty()) {
            return audience.problems();
        }
        return composition.check(draft, audience, false, rendered) instanceof Checked.Refused refused
                ? refused.problems()
                : List.of();
    }

    public Optional<Message> find(MessageRef ref) {
        return store.find(ref);
    }

    /** Returns whether somebody deleted a message of this reference, even if there is one again. */
    public boolean wasDeleted(MessageRef ref) {
        return store.wasDeleted(ref);
    }

    /** The message with the ETag for a change; empty when it is final or absent. */
    public Optional<Versioned<Message>> findActive(MessageRef ref) {
        return store.findActive(ref);
    }

    /** The bodies as they go out now. */
    public Optional<Bodies> bodies(Message message) {
        return blobs.read(message.ref(), message.content().revision());
    }

    /** Returns whether the text part of these bodies was generated from the HTML, not written by somebody. */
    public static boolean textGenerated(Message message, Bodies bodies) {
        TextPart known = message.content().textPart();
        TextPart part = known == null ? TextPart.guess(message.subject(), bodies.html(), bodies.text()) : known;
        return part == TextPart.GENERATED;
    }

    /** Messages that are not final, in order of date, then creation. */
    public List<Message> active() {
        return store.find(ActiveWalk.after(null, store.unfinished()));
    }

    /**
     * The same, page by page: reads the index and the rows of this page alone, which may be fewer than asked for.
     *
     * @param limit at least 1
     * @throws IllegalArgumentException when the cursor is none of ours
     */
    public Page<Message> active(int limit, @Nullable String cursor) {
        List<MessageStore.ActiveEntry> rest = ActiveWalk.after(cursor, store.unfinished());
        List<MessageStore.ActiveEntry> shown = rest.subList(0, Math.min(limit, rest.size()));
        return new Page<>(store.find(shown), rest.size() > limit ? ActiveWalk.cursor(shown.get(limit - 1)) : null);
    }

    /**
     * Final messages, newest date first, page by page. A message that is being sent again is not among them, so a page may
     * have fewer than asked for.
     *
     * @throws IllegalArgumentException when the cursor is none of ours
     */
    public Page<Message> sent(int limit, @Nullable String cursor) {
        Page<Message> archived = store.sent(limit, cursor);
        Set<MessageRef> unfinished =
                store.unfinished().stream().map(MessageStore.ActiveEntry::ref).collect(Collectors.toSet());
        List<Message> sent = archived.items().stream()
                .filter(message -> !unfinished.contains(message.ref())
                        || findActive(message.ref()).isEmpty())
                .toList();
        return new Page<>(sent, archived.continuation());
    }

    /**
     * The messages that are ahead, without drafts.
     *
     * @param due those that are due and not final, the latest first
     * @param moreDue how many of these there are besides
     * @param later those that wait for their date, the first of them first
     * @param moreLater how many of these there are besides
     */
    public record Ahead(List<Message> due, int moreDue, List<Message> later, int moreLater) {}

    /** At most so many of each; takes a walk of the index and a read a message. */
    public Ahead ahead(int most) {
        Instant now = time.instant();
        List<MessageStore.ActiveEntry> entries = ActiveWalk.after(null, store.active());
        int due = (int)
                entries.stream().filter(entry -> !entry.due().isAfter(now)).count();
        int first = Math.max(0, due - most);
        int end = Math.min(entries.size(), due + most);
        List<Message> latest = new ArrayList<>(shown(entries.subList(first, due)));
        Collections.reverse(latest);
        return new Ahead(latest, first, shown(entries.subList(due, end)), entries.size() - end);
    }

    private List<Message> shown(List<MessageStore.ActiveEntry> entries) {
        return store.find(entries).stream()
                .filter(message -> !message.keptAsDraft())
                .toList();
    }

    /**
     * Changes a message that is still at the ETag.
     *
     * @param etag what the form was made from
     */
    public Editing edit(MessageRef ref, String etag, Change change) {
        return editing.edit(ref, etag, change);
    }

    /**
     * Deletes a message as it was read, while it is Pending: its row first, then its bodies. {@code false} when it is not, or
     * somebody changed it since: then nothing was done.
     */
    public boolean delete(Versioned<Message> read) {
        Message message = read.value();
        if (!message.editable() || !store.delete(read)) {
            return false;
        }
        blobs.delete(message.ref(), message.content().revision());
        return true;
    }
}

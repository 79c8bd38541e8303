package org.azuremail.message;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
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
import org.azuremail.message.MessageStore.ActiveEntry;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Page;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * Creates, changes and deletes messages. Lists and date can be changed only while Pending; subject and bodies can also
 * be changed while paused. The scheduler may begin to send a message at any moment; in that case the change is refused
 * and nothing is lost.
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

    /** The scheduled service that processes active messages. */
    public static final String DUE_MESSAGES = "due-messages";

    /**
     * A message to be sent, with its recipients and date.
     *
     * @param mailClass the label of a class; {@code null} lets the plan of the first list decide
     * @param held whether it is saved as a draft, so that nothing is sent until an admin sends or schedules it
     * @param unfinished whether it is still being written, so that it need not be ready to be sent; only for a draft
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
            Assert.isTrue(held || !unfinished, "an unfinished message must be a draft");
        }

        public NewMessage(ListName list, Draft draft, Schedule schedule, OnUnknown onUnknown, String by, boolean held) {
            this(Audience.of(list), draft, schedule, onUnknown, null, by, held, false);
        }
    }

    /** The choice whether a Pending message is sent at its date after it was changed. */
    public enum Hold {
        /** Paused or not, as before the change. */
        AS_IT_WAS,
        /** Becomes a draft in the same write, so that nothing is sent until an admin sends or schedules it. */
        DRAFT,
        /** Sent at its date, whatever the reason for which it was paused, because an admin decided so. */
        RELEASED
    }

    /**
     * A change of a message; {@code null} leaves a part unchanged. A generated text part follows the HTML.
     *
     * @param html each upload replaces only its own body
     * @param markdown the source of the HTML; if {@code html} is given instead, the message is written in HTML from
     *     then on
     * @param layout the template around the content
     * @param text a blank text, or the generated one, means to generate the text from the HTML
     * @param mailClass the label of a class; an empty one lets the plan of the first list decide
     * @param hold whether it is sent at its date afterwards; with {@link Hold#DRAFT} the content need not be finished
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

        /** Returns a change of only the date, and of whether the message is sent then. */
        public static Change of(Message stored, Schedule date, Hold hold) {
            return new Change(
                    stored.audience(), stored.subject(), null, null, null, null, date, stored.onUnknown(), null, hold);
        }

        @Nullable
        String mailClassAfter(Message old) {
            return mailClass == null ? old.mailClass() : mailClass.isBlank() ? null : mailClass;
        }
    }

    public sealed interface MessageCreateResult {

        /** The message was created as Pending. */
        record Created(Message message) implements MessageCreateResult {}

        /** Another process created a message of this reference at the same moment. */
        record Exists(Message message) implements MessageCreateResult {}

        /** The message was not created, for at least one reason. */
        record Refused(List<Problem> problems) implements MessageCreateResult {}

        /**
         * The message was deleted again, because it turned out not to be wanted; or another one of this reference
         * existed and was deleted meanwhile.
         */
        record Unwanted() implements MessageCreateResult {}
    }

    public sealed interface MessageEditResult {

        record Edited(Versioned<Message> message) implements MessageEditResult {}

        /** Nothing was changed, because the requested change is not possible. */
        record Refused(List<Problem> problems) implements MessageEditResult {}

        /** Nothing was changed, because another caller saved in between. */
        record Conflict(Versioned<Message> current) implements MessageEditResult {}

        /** Nothing was changed, because the status does not allow it. */
        record NotEditable(Reason reason) implements MessageEditResult {}

        record Missing() implements MessageEditResult {}
    }

    /** Returns a reference for a message that is to be created. An unused reference leaves a gap. */
    public MessageRef nextRef() {
        return new MessageRef(ids.next("message"));
    }

    /** Saves the bodies, then the message; the scheduler is signalled when it is due. */
    public MessageCreateResult create(NewMessage wanted) {
        return create(nextRef(), wanted);
    }

    /** Creates a message under a reference that was chosen before and is not used. */
    public MessageCreateResult create(MessageRef ref, NewMessage wanted) {
        return create(ref, wanted, () -> true);
    }

    /**
     * Creates a message, for a process that may have been suspended since it decided to.
     *
     * @param stillWanted called after the message was saved; if it returns false, the message is deleted again,
     *     unless its sending has begun
     */
    public MessageCreateResult create(MessageRef ref, NewMessage wanted, BooleanSupplier stillWanted) {
        AudienceCheck.CheckedAudience audience = audiences.check(wanted.audience());
        if (!audience.problems().isEmpty()) {
            return new MessageCreateResult.Refused(audience.problems());
        }
        Checked checked = composition.check(wanted.draft(), audience, wanted.unfinished(), null);
        if (checked instanceof Checked.Refused refused) {
            return new MessageCreateResult.Refused(refused.problems());
        }
        Checked.Valid valid = (Checked.Valid) checked;
        int revision = blobs.putNew(
                ref, () -> editing.freeRevision(0), new Bodies(valid.html(), valid.text()), valid.source());
        Instant now = time.instant();
        Message message = Message.pending(ref, revision, wanted, valid, audience.shards(), now);
        Optional<Versioned<Message>> first = store.insert(message, now);
        List<Problem> replaced = audiences.findReplacedLists(audience);
        if (first.isPresent() && !replaced.isEmpty() && delete(first.get())) {
            return new MessageCreateResult.Refused(replaced);
        }
        if (first.isPresent() && !stillWanted.getAsBoolean() && delete(first.get())) {
            return new MessageCreateResult.Unwanted();
        }
        signals.runSoon(DUE_MESSAGES);
        return first.isPresent() ? new MessageCreateResult.Created(message) : exists(message);
    }

    /** Deletes the bodies of a message that was created too late, unless the existing message is this very one. */
    private MessageCreateResult exists(Message late) {
        Optional<Message> existing = store.findIncludingMoving(late.ref());
        int revision = late.content().revision();
        if (existing.filter(other -> other.content().revision() == revision).isEmpty()) {
            blobs.delete(late.ref(), revision);
        }
        return existing.<MessageCreateResult>map(MessageCreateResult.Exists::new)
                .orElseGet(MessageCreateResult.Unwanted::new);
    }

    /** Returns the source of the HTML; empty when the HTML was not rendered. */
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

    /** Renders both bodies of a draft without saving it. */
    public Checked compose(MailingList list, Draft draft) {
        return composition.check(draft, list, list.attributes(), true);
    }

    /** Returns the reasons why a saved message cannot be sent; empty when it can. */
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
        AudienceCheck.CheckedAudience audience = audiences.check(wanted);
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

    /** Returns whether a message of this reference was deleted, even if another one exists by now. */
    public boolean wasDeleted(MessageRef ref) {
        return store.wasDeleted(ref);
    }

    /** Returns the message with the ETag for a change; empty when it is final or absent. */
    public Optional<Versioned<Message>> findActive(MessageRef ref) {
        return store.findActive(ref);
    }

    /** Returns the bodies as they would be sent at present. */
    public Optional<Bodies> bodies(Message message) {
        return blobs.read(message.ref(), message.content().revision());
    }

    /** Returns whether the text part of these bodies was generated from the HTML, not written by the author. */
    public static boolean textGenerated(Message message, Bodies bodies) {
        TextPart known = message.content().textPart();
        TextPart part = known == null ? TextPart.guess(message.subject(), bodies.html(), bodies.text()) : known;
        return part == TextPart.GENERATED;
    }

    /** Returns messages that are not final, in order of date, then creation. */
    public List<Message> active() {
        return store.find(unfinishedAfter(null));
    }

    /**
     * Returns one page of the messages that are not final. Reads the index and only the rows of this page, which may be
     * fewer than the limit.
     *
     * @param limit at least 1
     * @throws IllegalArgumentException when the cursor is invalid
     */
    public Page<Message> active(int limit, @Nullable String cursor) {
        List<ActiveEntry> rest = unfinishedAfter(cursor);
        List<ActiveEntry> shown = rest.subList(0, Math.min(limit, rest.size()));
        return new Page<>(store.find(shown), rest.size() > limit ? cursor(shown.get(limit - 1)) : null);
    }

    private static String cursor(ActiveEntry last) {
        return last.due() + "." + last.ref();
    }

    private List<ActiveEntry> unfinishedAfter(@Nullable String cursor) {
        List<ActiveEntry> entries =
                store.unfinished().stream().sorted(ActiveEntry.ORDER).toList();
        if (cursor == null) {
            return entries;
        }
        int end = cursor.lastIndexOf('.');
        try {
            Instant due = Instant.parse(cursor.substring(0, Math.max(end, 0)));
            MessageRef ref = new MessageRef(Long.parseLong(cursor.substring(end + 1)));
            return entries.stream()
                    .filter(entry -> entry.due().isAfter(due)
                            || (entry.due().equals(due) && entry.ref().compareTo(ref) > 0))
                    .toList();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("not a cursor", e);
        }
    }

    /**
     * Returns final messages, newest date first, page by page. Messages that are being sent again are left out, so a
     * page may have fewer than the limit.
     *
     * @throws IllegalArgumentException when the cursor is invalid
     */
    public Page<Message> sent(int limit, @Nullable String cursor) {
        Page<Message> archived = store.sent(limit, cursor);
        Set<MessageRef> unfinished =
                store.unfinished().stream().map(ActiveEntry::ref).collect(Collectors.toSet());
        return archived.filter(message ->
                !unfinished.contains(message.ref()) || findActive(message.ref()).isEmpty());
    }

    /**
     * Changes a message that still has the ETag.
     *
     * @param etag of the version from which the form was filled
     */
    public MessageEditResult edit(MessageRef ref, String etag, Change change) {
        return editing.edit(ref, etag, change);
    }

    /**
     * Deletes a Pending message under its ETag: first its row, then its bodies.
     *
     * @return false when the message is not Pending or has changed; nothing was deleted
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

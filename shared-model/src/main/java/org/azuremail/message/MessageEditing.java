package org.azuremail.message;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.azuremail.content.Layout;
import org.azuremail.content.Layout.Source;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.MessageBodies.Draft;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.content.TextPart;
import org.azuremail.id.CompactIds;
import org.azuremail.message.MessageBlobs.Bodies;
import org.azuremail.message.Messages.Change;
import org.azuremail.message.Messages.Hold;
import org.azuremail.message.Messages.MessageEditResult;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Saved;
import org.azuremail.storage.Versioned;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;
import org.jspecify.annotations.Nullable;

/**
 * Changes messages. The changed bodies are saved under a new revision before the row names it, so that a refused change
 * leaves the old message unchanged.
 */
record MessageEditing(
        MessageStore store,
        MessageBlobs blobs,
        AudienceCheck audiences,
        Composition composition,
        CompactIds ids,
        Signals signals,
        Time time) {

    private static final MessageEditResult NOT_PENDING =
            new MessageEditResult.NotEditable(Reason.of(ScheduleFault.EDIT_NOT_PENDING));

    MessageEditResult edit(MessageRef ref, String etag, Change change) {
        Optional<Versioned<Message>> found = store.findActive(ref);
        if (found.isEmpty()) {
            return store.find(ref).isPresent() ? NOT_PENDING : new MessageEditResult.Missing();
        }
        Versioned<Message> current = found.get();
        if (!current.value().contentEditable()) {
            return NOT_PENDING;
        }
        if (!current.etag().equals(etag)) {
            return new MessageEditResult.Conflict(current);
        }
        if (!current.value().editable() && changesSchedule(current.value(), change)) {
            return new MessageEditResult.NotEditable(Reason.of(ScheduleFault.EDIT_UNDER_WAY));
        }
        return check(current, change);
    }

    private static boolean changesSchedule(Message old, Change change) {
        return !change.audience().hasSamePeople(old.audience())
                || !Objects.equals(change.mailClassAfter(old), old.mailClass())
                || !change.schedule().due().equals(old.scheduledDate());
    }

    private MessageEditResult check(Versioned<Message> current, Change change) {
        Message old = current.value();
        AudienceCheck.CheckedAudience audience =
                audiences.check(old.editable() ? change.audience() : Audience.of(old.lists()));
        if (!audience.problems().isEmpty()) {
            return new MessageEditResult.Refused(audience.problems());
        }
        Bodies before = blobs.read(old.ref(), old.content().revision()).orElse(new Bodies("", ""));
        Source source = blobs.source(old.ref(), old.content().revision()).orElse(null);
        Draft draft = draft(old, change, before, source);
        boolean unfinished = change.hold() == Hold.DRAFT && old.editable();
        String rendered = source != null && sameContent(old, change) ? before.html() : null;
        Checked checked = composition.check(draft, audience, unfinished, rendered);
        if (checked instanceof Checked.Refused refused) {
            return new MessageEditResult.Refused(refused.problems());
        }
        Checked.Valid valid = (Checked.Valid) checked;
        Bodies after = changed(old, before, valid);
        int revision = putBodies(old, before, after, source, valid.source());
        Message changed = old.edited(
                        old.editable() ? change.audience().withRules(null) : old.audience(),
                        old.editable() ? audience.shards() : old.shards(),
                        new Message.Content(valid.subject(), revision, textPart(old, before, after, valid, source)),
                        change.schedule(),
                        change.onUnknown())
                .withMailClass(change.mailClassAfter(old));
        return save(current, old.editable() ? held(changed, change.hold()) : changed, audience);
    }

    private static Message held(Message changed, Hold hold) {
        return switch (hold) {
            case AS_IT_WAS -> changed;
            case DRAFT -> changed.asDraft();
            case RELEASED -> changed.resumed();
        };
    }

    /**
     * Returns the changed draft. A generated text part is generated again, even if a form or a caller sends it back
     * unchanged.
     */
    private static Draft draft(Message old, Change change, Bodies before, @Nullable Source source) {
        String text = change.text() == null ? before.text() : new String(change.text(), StandardCharsets.UTF_8);
        boolean generate =
                Messages.textGenerated(old, before) && normalizeSpace(text).equals(normalizeSpace(before.text()));
        byte[] stored = before.text().getBytes(StandardCharsets.UTF_8);
        Draft same = Draft.of(
                change.subject(),
                before.html(),
                generate ? null : change.text() == null ? stored : change.text(),
                source);
        boolean rewritten = change.html() != null || change.markdown() != null;
        String markdown = rewritten ? change.markdown() : same.markdown();
        return new Draft(
                same.subject(),
                change.html() == null ? same.html() : change.html(),
                same.text(),
                markdown,
                layout(change.layout(), source, markdown != null));
    }

    private static Layout layout(@Nullable Layout wanted, @Nullable Source source, boolean markdown) {
        if (wanted != null) {
            return wanted;
        }
        return source != null && source.markdown() == markdown
                ? source.layout()
                : markdown ? Layout.LETTER : Layout.NONE;
    }

    /**
     * Returns whether the content stays. In that case nothing is rendered again, so that the message is sent as an
     * admin last saw it.
     */
    private static boolean sameContent(Message old, Change change) {
        return change.html() == null
                && change.markdown() == null
                && change.layout() == null
                && change.audience().list().equals(old.audience().list());
    }

    private static String normalizeSpace(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }

    /** Returns the origin of the text part. A written text that stays while the HTML changes is outdated. */
    private static TextPart textPart(
            Message old, Bodies before, Bodies after, Checked.Valid valid, @Nullable Source source) {
        boolean sameText = valid.textPart() == TextPart.WRITTEN
                && normalizeSpace(after.text()).equals(normalizeSpace(before.text()));
        Source now = valid.source();
        boolean otherWords = (source == null || now == null)
                ? !after.html().equals(before.html())
                : !now.written().equals(source.written());
        boolean behind = old.content().textPart() == TextPart.OUTDATED
                || (otherWords && !before.html().isBlank());
        return sameText && behind ? TextPart.OUTDATED : valid.textPart();
    }

    /** Returns the changed bodies. A generated text stays word for word as long as its source does not change. */
    private static Bodies changed(Message old, Bodies before, Checked.Valid valid) {
        boolean same = valid.html().equals(before.html()) && valid.subject().equals(old.subject());
        boolean kept = same && valid.textPart() == TextPart.GENERATED && Messages.textGenerated(old, before);
        return new Bodies(valid.html(), kept ? before.text() : valid.text());
    }

    /** Saves the bodies, unless they are unchanged, and returns their revision. */
    private int putBodies(
            Message old, Bodies before, Bodies after, @Nullable Source sourceBefore, @Nullable Source source) {
        if (after.equals(before) && Objects.equals(source, sourceBefore)) {
            return old.content().revision();
        }
        int revision = freeRevision(old.content().revision());
        blobs.put(old.ref(), revision, after, source);
        return revision;
    }

    /** Returns a number that no other writer of this message chose, so that two editors never share a blob. */
    int freeRevision(int before) {
        return (int) Math.max(before + 1L, ids.next("revision") % Integer.MAX_VALUE);
    }

    /**
     * Saves the change. If a list was deleted during the check and a new list has its name, the message becomes a
     * draft, so that it is not sent to the new list unasked.
     */
    private MessageEditResult save(
            Versioned<Message> current, Message changed, AudienceCheck.CheckedAudience audience) {
        boolean pending = current.value().editable();
        Saved<Message> saved = pending
                ? store.move(current, changed, time.instant())
                : store.replace(current, changed, time.instant());
        if (pending && saved instanceof Saved.Done<Message> done) {
            List<Problem> replaced = audiences.findReplacedLists(audience);
            if (!replaced.isEmpty()) {
                store.replace(done.now(), done.now().value().asDraft(), time.instant());
                return new MessageEditResult.Refused(replaced);
            }
        }
        signals.runSoon(Messages.DUE_MESSAGES);
        if (saved instanceof Saved.Done<Message> done) {
            return new MessageEditResult.Edited(done.now());
        }
        if (saved instanceof Saved.Conflict<Message> conflict) {
            boolean taken = pending && !conflict.current().value().editable();
            return taken ? NOT_PENDING : new MessageEditResult.Conflict(conflict.current());
        }
        return new MessageEditResult.Missing();
    }
}

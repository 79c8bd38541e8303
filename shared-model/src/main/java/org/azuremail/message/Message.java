package org.azuremail.message;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.TextPart;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.OnUnknown;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * A message to a list. Immutable; {@link #change} makes changed copies.
 *
 * @param shards into how many shards the list is divided
 * @param scheduledDate the due instant
 * @param zone the time zone in which the date was typed
 * @param revision counts edits of the bodies; names their blobs
 * @param generation counts reopenings; stands in every e-mail row and outcome
 * @param pauseReason why it is paused; none when a person paused it
 * @param reason why it failed; none otherwise
 * @param recipients counted at fan-out; known when it is final
 * @param reopening whom a reopening is about that has not finished; {@code null} without one
 * @param restored whether a restored backup was reckoned with, and what that means for it
 * @param draft kept paused until somebody sends or schedules it; false for messages of versions that had no mark for it
 * @param textPart where the text part comes from; {@code null} for messages of versions that did not tell
 */
public record Message(
        MessageRef ref,
        ListName list,
        int shards,
        String subject,
        Instant scheduledDate,
        ZoneId zone,
        MessageStatus status,
        int revision,
        int generation,
        boolean paused,
        Reason pauseReason,
        Reason reason,
        OnUnknown onUnknown,
        Instant createdAt,
        String createdBy,
        long recipients,
        OutcomeCounts counts,
        @Nullable Instant completedAt,
        @Nullable Reopened reopening,
        Restoration restored,
        boolean draft,
        @Nullable TextPart textPart) {

    /** The partition of the message row: the UTC date of the due instant. */
    public String datePartition() {
        return datePartition(scheduledDate);
    }

    static String datePartition(Instant due) {
        return LocalDate.ofInstant(due, ZoneOffset.UTC).toString();
    }

    /** The partitions of its recipients. */
    public IntStream shardNumbers() {
        return IntStream.range(0, shards);
    }

    /** Whether it waits for a person, not for its date. */
    public boolean keptAsDraft() {
        return draft && paused && (status == MessageStatus.PENDING || status == MessageStatus.MOVING);
    }

    /** Whether it has, or may have, recipients: only then somebody may be about to mail them. */
    public boolean begun() {
        return status != MessageStatus.PENDING && status != MessageStatus.MOVING;
    }

    /** Whether list, date and bodies may be changed. */
    public boolean editable() {
        return status == MessageStatus.PENDING;
    }

    /** Whether subject and bodies may be changed: also while a message that goes out is paused. */
    public boolean contentEditable() {
        return editable() || (paused && (status == MessageStatus.QUEUING || status == MessageStatus.PROCESSING));
    }

    /** From when it goes out: its date, or when it was made, if that was later. */
    public Instant dueAt() {
        return createdAt.isAfter(scheduledDate) ? createdAt : scheduledDate;
    }

    /** Whether it is time to send. */
    public boolean due(Instant now) {
        return !scheduledDate.isAfter(now);
    }

    /** A copy with changes. */
    public Message change(UnaryOperator<MessageChanges> changes) {
        return changes.apply(new MessageChanges(this)).done();
    }

    /** A copy in another status. */
    public Message become(MessageStatus next) {
        if (!status.mayBecome(next)) {
            throw new IllegalStateException("a message cannot go from " + status + " to " + next);
        }
        return change(c -> c.status(next));
    }

    /** A new one, before anybody has taken it up. */
    static Message pending(
            MessageRef ref, Messages.NewMessage wanted, Checked.Valid content, MailingList list, Instant now) {
        return new Message(
                ref,
                wanted.list(),
                list.shards(),
                content.subject(),
                wanted.schedule().due(),
                wanted.schedule().zone(),
                MessageStatus.PENDING,
                0,
                0,
                wanted.held(),
                Reason.NONE,
                Reason.NONE,
                wanted.onUnknown(),
                now,
                wanted.by(),
                0,
                OutcomeCounts.NONE,
                null,
                null,
                Restoration.NONE,
                wanted.held(),
                content.textPart());
    }

    static Message from(Values v) {
        return new Message(
                new MessageRef(v.number("MessageRef", 0)),
                new ListName(v.requireString("ListName")),
                v.integer("Shards", 16),
                v.requireString("SubjectLine"),
                v.requireInstant("ScheduledDate"),
                ZoneId.of(v.string("Zone", "UTC")),
                MessageStatus.of(v.requireString("Status")),
                v.integer("Revision", 0),
                v.integer("Generation", 0),
                v.bool("Paused", false),
                Reason.read(v.string("PauseReason")),
                Reason.read(v.string("Reason")),
                OnUnknown.valueOf(v.string("OnUnknown", OnUnknown.HOLD.name())),
                v.requireInstant("CreatedAt"),
                v.string("CreatedBy", ""),
                v.number("Recipients", 0),
                OutcomeCounts.from(v),
                v.instant("CompletedAt"),
                Reopened.read(v.string("Reopening", "")),
                Restoration.from(v),
                v.bool("Draft", false),
                TextPart.of(v.string("TextPart")));
    }

    Values toValues() {
        Values.Builder v = Values.builder()
                .put("MessageRef", ref.value())
                .put("ListName", list.value())
                .put("Shards", shards)
                .put("SubjectLine", subject)
                .put("ScheduledDate", scheduledDate)
                .put("Zone", zone.getId())
                .put("Status", status.stored())
                .put("Revision", revision)
                .put("Generation", generation)
                .put("Paused", paused)
                .put("PauseReason", pauseReason.stored())
                .put("Reason", reason.stored())
                .put("OnUnknown", onUnknown.name())
                .put("CreatedAt", createdAt)
                .put("CreatedBy", createdBy)
                .put("Recipients", recipients)
                .put("CompletedAt", completedAt)
                .put("Reopening", reopening == null ? "" : reopening.stored())
                .put("Draft", draft)
                .put("TextPart", textPart == null ? null : textPart.stored());
        counts.into(v);
        restored.into(v);
        return v.build();
    }
}

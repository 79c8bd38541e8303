package org.azuremail.message;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import org.azuremail.content.MessageBodies.Checked;
import org.azuremail.content.TextPart;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.mail.EmailAddress;
import org.azuremail.mail.OnUnknown;
import org.azuremail.mailclass.MailClass;
import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;

/**
 * A message to one or more lists. Immutable; every change returns a copy.
 *
 * @param shards the number of shards of each list
 * @param mailClass the label of its class; {@code null} while the plan of its first list decides. Fixed when
 *     sending begins
 */
public record Message(
        MessageRef ref,
        Created created,
        Audience audience,
        int shards,
        Content content,
        Schedule schedule,
        OnUnknown onUnknown,
        @Nullable String mailClass,
        MessageState state,
        Result result) {

    public record Created(Instant at, String by) {}

    /**
     * The subject and bodies of a message.
     *
     * @param revision counts edits of the bodies; part of the names of their blobs
     * @param textPart the origin of the text part; {@code null} for messages of versions that did not record it
     */
    public record Content(
            String subject, int revision, @Nullable TextPart textPart) {}

    /**
     * The result of a message.
     *
     * @param reason why it failed; none otherwise
     * @param recipients counted at fan-out; known when it is final
     * @param retiredAt when the outcomes of single recipients began to be removed, after which the sums do not change
     * @param removedAt when the last of their rows was removed
     */
    public record Result(
            Reason reason,
            long recipients,
            OutcomeCounts counts,
            @Nullable Instant completedAt,
            @Nullable Instant retiredAt,
            @Nullable Instant removedAt) {

        static final Result NONE = Result.of(Reason.NONE, 0, OutcomeCounts.NONE, null);

        public static Result of(Reason reason, long recipients, OutcomeCounts counts, @Nullable Instant completedAt) {
            return new Result(reason, recipients, counts, completedAt, null, null);
        }

        /** Returns a copy with these sums; the sums of a retired message stay. */
        Result recounted(OutcomeCounts sums) {
            return retiredAt == null ? Result.of(reason, recipients, sums, completedAt) : this;
        }
    }

    /** Returns the lists to which it is addressed, in order of precedence. */
    public List<ListName> lists() {
        return audience.lists();
    }

    /** Returns the first of its lists, which is usually the only one. */
    public ListName list() {
        return audience.list();
    }

    public String subject() {
        return content.subject();
    }

    public Instant scheduledDate() {
        return schedule.due();
    }

    public MessageStatus status() {
        return state.status();
    }

    public boolean paused() {
        return state.paused();
    }

    public int generation() {
        return state.generation();
    }

    @Nullable
    public Instant completedAt() {
        return result.completedAt();
    }

    /** Returns the partition of the message row: the UTC date of the due instant. */
    public String datePartition() {
        return LocalDate.ofInstant(scheduledDate(), ZoneOffset.UTC).toString();
    }

    /** Returns the shards of its recipients. */
    public IntStream shardNumbers() {
        return IntStream.range(0, shards);
    }

    /** Returns the shard that contains an address, on each of its lists. */
    public int shardOf(EmailAddress address) {
        return MailingList.shardOf(address.folded(), shards);
    }

    /** Returns whether it waits for an admin, not for its date. */
    public boolean keptAsDraft() {
        return state.draft() && paused() && !begun();
    }

    /** Returns whether it has, or may have, recipients, so that a sender may be about to email them. */
    public boolean begun() {
        return status() != MessageStatus.PENDING && status() != MessageStatus.MOVING;
    }

    /** Returns whether lists, date and bodies may be changed. */
    public boolean editable() {
        return status() == MessageStatus.PENDING;
    }

    /**
     * Returns whether subject and bodies may be changed, which is also possible while a message that is being sent is
     * paused.
     */
    public boolean contentEditable() {
        return editable() || (paused() && (status() == MessageStatus.QUEUING || status() == MessageStatus.PROCESSING));
    }

    /** Returns the time from which it may be sent: its date, or its creation if that was later. */
    public Instant dueAt() {
        return created.at().isAfter(scheduledDate()) ? created.at() : scheduledDate();
    }

    public boolean due(Instant now) {
        return !scheduledDate().isAfter(now);
    }

    public Message become(MessageStatus next) {
        return with(state.become(next));
    }

    /**
     * Returns a paused copy, of which nothing more is handed over.
     *
     * @param reason none when an admin paused it
     */
    public Message pausedFor(Reason reason) {
        return with(state.pausedFor(reason));
    }

    public Message resumed() {
        return with(state.resumed());
    }

    /**
     * Returns a copy that is not sent until an admin sends or schedules it. A reason for which it is paused already
     * stays.
     */
    Message asDraft() {
        return with(state.asDraft());
    }

    public Message reopenedFor(ReopenScope scope) {
        return with(state.reopenedFor(scope))
                .with(Result.of(result.reason(), result.recipients(), result.counts(), null));
    }

    public Message reopeningFinished() {
        return with(state.reopeningFinished());
    }

    public Message afterRestore(Restoration restoration) {
        return with(state.afterRestore(restoration));
    }

    /** Returns a copy that failed before it was sent to any recipient. */
    public Message failedFor(Reason reason, Instant at) {
        return become(MessageStatus.FAILED).with(Result.of(reason, 0, result.counts(), at));
    }

    public Message counted(long recipients, OutcomeCounts counts, Instant at) {
        return with(Result.of(result.reason(), recipients, counts, at));
    }

    Message recounted(OutcomeCounts sums) {
        return with(result.recounted(sums));
    }

    /** Returns whether the outcomes of single recipients are no longer kept. */
    public boolean retired() {
        return result.retiredAt() != null;
    }

    /** Returns a copy of a final message whose outcomes of single recipients are no longer kept. */
    public Message retired(Instant at) {
        return with(new Result(
                result.reason(), result.recipients(), result.counts(), result.completedAt(), at, result.removedAt()));
    }

    public Message rowsRemoved(Instant at) {
        return with(new Result(
                result.reason(), result.recipients(), result.counts(), result.completedAt(), result.retiredAt(), at));
    }

    /** Returns a copy with the changes that its author may make. */
    public Message edited(
            Audience other, int otherShards, Content newContent, Schedule newSchedule, OnUnknown newOnUnknown) {
        Audience kept = audience.occasion() == null ? other : audience;
        return new Message(
                ref, created, kept, otherShards, newContent, newSchedule, newOnUnknown, mailClass, state, result);
    }

    Message withMailClass(@Nullable String label) {
        return new Message(ref, created, audience, shards, content, schedule, onUnknown, label, state, result);
    }

    /**
     * Returns a copy whose sending has begun. If it is addressed to a segment, its recipients are counted by these
     * rules; its work items are of this class.
     */
    public Message startedWith(@Nullable String rules, MailClass as) {
        Audience fixed = rules == null ? audience : audience.withRules(rules);
        MessageState next = state.become(MessageStatus.QUEUING);
        return new Message(ref, created, fixed, shards, content, schedule, onUnknown, as.name(), next, result);
    }

    private Message with(MessageState other) {
        return new Message(ref, created, audience, shards, content, schedule, onUnknown, mailClass, other, result);
    }

    private Message with(Result other) {
        return new Message(ref, created, audience, shards, content, schedule, onUnknown, mailClass, state, other);
    }

    /** Returns a new message whose sending has not begun. */
    static Message pending(
            MessageRef ref, int revision, Messages.NewMessage wanted, Checked.Valid content, int shards, Instant now) {
        return new Message(
                ref,
                new Created(now, wanted.by()),
                wanted.audience(),
                shards,
                new Content(content.subject(), revision, content.textPart()),
                wanted.schedule(),
                wanted.onUnknown(),
                wanted.mailClass(),
                MessageState.pending(wanted.held()),
                Result.NONE);
    }

    static Message from(Values v) {
        return new Message(
                new MessageRef(v.requireNumber("MessageRef")),
                new Created(v.requireInstant("CreatedAt"), v.string("CreatedBy", "")),
                Audience.from(v),
                (int) v.requireNumber("Shards"),
                new Content(
                        v.requireString("SubjectLine"), v.integer("Revision", 0), TextPart.of(v.string("TextPart"))),
                Schedule.saved(v.requireInstant("ScheduledDate"), v.string("Zone", "UTC")),
                OnUnknown.valueOf(v.string("OnUnknown", OnUnknown.HOLD.name())),
                v.string("MailClass"),
                MessageState.from(v),
                new Result(
                        Reason.read(v.string("Reason")),
                        v.number("Recipients", 0),
                        OutcomeCounts.from(v),
                        v.instant("CompletedAt"),
                        v.instant("RetiredAt"),
                        v.instant("RowsRemovedAt")));
    }

    Values toValues() {
        Values.Builder v = Values.builder()
                .put("MessageRef", ref.value())
                .put("Shards", shards)
                .put("SubjectLine", subject())
                .put("ScheduledDate", scheduledDate())
                .put("Zone", schedule.zone().getId())
                .put("Status", status().stored())
                .put("Revision", content.revision())
                .put("Generation", generation())
                .put("Paused", paused())
                .put("PauseReason", state.pauseReason().stored())
                .put("Reason", result.reason().stored())
                .put("OnUnknown", onUnknown.name())
                .put("MailClass", mailClass)
                .put("CreatedAt", created.at())
                .put("CreatedBy", created.by())
                .put("Recipients", result.recipients())
                .put("CompletedAt", completedAt())
                .put("RetiredAt", result.retiredAt())
                .put("RowsRemovedAt", result.removedAt())
                .put(
                        "Reopening",
                        state.reopening() == null ? "" : state.reopening().stored())
                .put("Draft", state.draft())
                .put("Warned", state.warned() ? true : null)
                .put(
                        "TextPart",
                        content.textPart() == null ? null : content.textPart().stored());
        audience.into(v);
        result.counts().into(v);
        state.restored().into(v);
        return v.build();
    }
}

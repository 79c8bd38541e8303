package org.azuremail.message;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
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
 * @param pauseReason why it is paused, for the page; empty when a person paused it
 * @param reason why it failed; empty otherwise
 * @param recipients counted at fan-out; known when it is final
 * @param reopening whom a reopening is about that has not finished, or empty
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
        String pauseReason,
        String reason,
        OnUnknown onUnknown,
        Instant createdAt,
        String createdBy,
        long recipients,
        OutcomeCounts counts,
        @Nullable Instant completedAt,
        String reopening) {

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

    /** Whether list, date and bodies may be changed. */
    public boolean editable() {
        return status == MessageStatus.PENDING;
    }

    /** Whether subject and bodies may be changed: also while a message that goes out is paused. */
    public boolean contentEditable() {
        return editable() || (paused && (status == MessageStatus.QUEUING || status == MessageStatus.PROCESSING));
    }

    /** Whether it is time to send. */
    public boolean due(Instant now) {
        return !scheduledDate.isAfter(now);
    }

    /** A copy with changes. */
    public Message change(UnaryOperator<Changes> changes) {
        return changes.apply(new Changes(this)).done();
    }

    /** A copy in another status. */
    public Message become(MessageStatus next) {
        if (!status.mayBecome(next)) {
            throw new IllegalStateException("a message cannot go from " + status + " to " + next);
        }
        return change(c -> c.status(next));
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
                v.string("PauseReason", ""),
                v.string("Reason", ""),
                OnUnknown.valueOf(v.string("OnUnknown", OnUnknown.HOLD.name())),
                v.requireInstant("CreatedAt"),
                v.string("CreatedBy", ""),
                v.number("Recipients", 0),
                OutcomeCounts.from(v),
                v.instant("CompletedAt"),
                v.string("Reopening", ""));
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
                .put("PauseReason", pauseReason)
                .put("Reason", reason)
                .put("OnUnknown", onUnknown.name())
                .put("CreatedAt", createdAt)
                .put("CreatedBy", createdBy)
                .put("Recipients", recipients)
                .put("CompletedAt", completedAt)
                .put("Reopening", reopening);
        counts.into(v);
        return v.build();
    }

    /** What may change in a message, one by one. */
    public static final class Changes {

        private final Message old;
        private ListName list;
        private int shards;
        private String subject;
        private Instant scheduledDate;
        private ZoneId zone;
        private MessageStatus status;
        private int revision;
        private int generation;
        private boolean paused;
        private String pauseReason;
        private String reason;
        private OnUnknown onUnknown;
        private long recipients;
        private OutcomeCounts counts;
        private @Nullable Instant completedAt;
        private String reopening;

        private Changes(Message old) {
            this.old = old;
            list = old.list;
            shards = old.shards;
            subject = old.subject;
            scheduledDate = old.scheduledDate;
            zone = old.zone;
            status = old.status;
            revision = old.revision;
            generation = old.generation;
            paused = old.paused;
            pauseReason = old.pauseReason;
            reason = old.reason;
            onUnknown = old.onUnknown;
            recipients = old.recipients;
            counts = old.counts;
            completedAt = old.completedAt;
            reopening = old.reopening;
        }

        Changes status(MessageStatus value) {
            status = value;
            return this;
        }

        public Changes list(ListName value, int dividedInto) {
            list = value;
            shards = dividedInto;
            return this;
        }

        public Changes subject(String value) {
            subject = value;
            return this;
        }

        public Changes schedule(Instant due, ZoneId typedIn) {
            scheduledDate = due;
            zone = typedIn;
            return this;
        }

        public Changes onUnknown(OnUnknown value) {
            onUnknown = value;
            return this;
        }

        public Changes revision(int value) {
            revision = value;
            return this;
        }

        public Changes paused(boolean value, String why) {
            paused = value;
            pauseReason = why;
            return this;
        }

        public Changes reason(String value) {
            reason = value;
            return this;
        }

        public Changes counted(long n, OutcomeCounts value, Instant at) {
            recipients = n;
            counts = value;
            completedAt = at;
            return this;
        }

        Changes counts(OutcomeCounts value) {
            counts = value;
            return this;
        }

        public Changes reopened(String whom) {
            generation = old.generation + 1;
            reopening = whom;
            completedAt = null;
            return this;
        }

        public Changes reopeningFinished() {
            reopening = "";
            return this;
        }

        private Message done() {
            return new Message(
                    old.ref,
                    list,
                    shards,
                    subject,
                    scheduledDate,
                    zone,
                    status,
                    revision,
                    generation,
                    paused,
                    pauseReason,
                    reason,
                    onUnknown,
                    old.createdAt,
                    old.createdBy,
                    recipients,
                    counts,
                    completedAt,
                    reopening);
        }
    }
}

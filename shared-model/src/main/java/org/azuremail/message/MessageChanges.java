package org.azuremail.message;

import java.time.Instant;
import java.time.ZoneId;
import org.azuremail.content.TextPart;
import org.azuremail.list.ListName;
import org.azuremail.mail.OnUnknown;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/** What may change in a message, one by one; everything else is copied. */
public final class MessageChanges {

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
    private Reason pauseReason;
    private Reason reason;
    private OnUnknown onUnknown;
    private long recipients;
    private OutcomeCounts counts;
    private @Nullable Instant completedAt;
    private @Nullable Reopened reopening;
    private Restoration restored;
    private boolean draft;
    private @Nullable TextPart textPart;

    MessageChanges(Message old) {
        this.old = old;
        list = old.list();
        shards = old.shards();
        subject = old.subject();
        scheduledDate = old.scheduledDate();
        zone = old.zone();
        status = old.status();
        revision = old.revision();
        generation = old.generation();
        paused = old.paused();
        pauseReason = old.pauseReason();
        reason = old.reason();
        onUnknown = old.onUnknown();
        recipients = old.recipients();
        counts = old.counts();
        completedAt = old.completedAt();
        reopening = old.reopening();
        restored = old.restored();
        draft = old.draft();
        textPart = old.textPart();
    }

    MessageChanges status(MessageStatus value) {
        status = value;
        return this;
    }

    public MessageChanges list(ListName value, int dividedInto) {
        list = value;
        shards = dividedInto;
        return this;
    }

    public MessageChanges subject(String value) {
        subject = value;
        return this;
    }

    public MessageChanges schedule(Instant due, ZoneId typedIn) {
        scheduledDate = due;
        zone = typedIn;
        return this;
    }

    public MessageChanges onUnknown(OnUnknown value) {
        onUnknown = value;
        return this;
    }

    public MessageChanges content(int revisionOfBodies, TextPart value) {
        revision = revisionOfBodies;
        textPart = value;
        return this;
    }

    public MessageChanges paused(boolean value, Reason why) {
        paused = value;
        pauseReason = why;
        draft &= value;
        return this;
    }

    /** Keeps it from going out until somebody says so; why it may be paused already stays. */
    public MessageChanges draft() {
        paused = true;
        draft = true;
        return this;
    }

    public MessageChanges reason(Reason value) {
        reason = value;
        return this;
    }

    public MessageChanges counted(long n, OutcomeCounts value, Instant at) {
        recipients = n;
        counts = value;
        completedAt = at;
        return this;
    }

    MessageChanges counts(OutcomeCounts value) {
        counts = value;
        return this;
    }

    public MessageChanges reopened(Reopened whom) {
        generation = old.generation() + 1;
        reopening = whom;
        completedAt = null;
        restored = new Restoration(old.restored().epoch(), false);
        return this;
    }

    public MessageChanges restored(Restoration value) {
        restored = value;
        return this;
    }

    public MessageChanges reopeningFinished() {
        reopening = null;
        return this;
    }

    Message done() {
        return new Message(
                old.ref(),
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
                old.createdAt(),
                old.createdBy(),
                recipients,
                counts,
                completedAt,
                reopening,
                restored,
                draft,
                textPart);
    }
}

package org.azuremail.message;

import java.util.Map;
import java.util.Set;

/**
 * The states of a message; <em>paused</em> is a flag beside them. This is the only table of transitions:
 * docs/state-machines.md draws it, and a test walks every pair.
 */
public enum MessageStatus {
    /** Created, and waiting for its date. The only state in which lists and date can be changed. */
    PENDING("Pending"),
    /** Being moved to another date; the next process that finds it finishes the move. */
    MOVING("Moving"),
    /** Its recipients are being counted and queued. */
    QUEUING("Queuing"),
    /** All recipients are queued, and emails are being sent. */
    PROCESSING("Processing"),
    /** Every recipient has an outcome. */
    COMPLETED("Completed"),
    /** Stopped by an admin; recipients who were not emailed are recorded as Skipped. */
    CANCELLED("Cancelled"),
    /** Never sent, for a reason that is recorded with it. */
    FAILED("Failed");

    private static final Map<MessageStatus, Set<MessageStatus>> NEXT = Map.of(
            PENDING, Set.of(MOVING, QUEUING, CANCELLED, FAILED),
            MOVING, Set.of(PENDING),
            QUEUING, Set.of(PROCESSING, CANCELLED, FAILED),
            PROCESSING, Set.of(COMPLETED, CANCELLED),
            COMPLETED, Set.of(PROCESSING),
            CANCELLED, Set.of(),
            FAILED, Set.of());

    private final String stored;

    MessageStatus(String stored) {
        this.stored = stored;
    }

    public String stored() {
        return stored;
    }

    /** @throws IllegalArgumentException when no status is stored as this word */
    public static MessageStatus of(String stored) {
        for (MessageStatus status : values()) {
            if (status.stored.equals(stored)) {
                return status;
            }
        }
        throw new IllegalArgumentException("no message status " + stored);
    }

    public boolean mayBecome(MessageStatus next) {
        return NEXT.getOrDefault(this, Set.of()).contains(next);
    }

    /** Returns whether emails to its recipients are being sent. */
    public boolean isSending() {
        return this == QUEUING || this == PROCESSING;
    }

    /** Returns whether nothing more is sent. A cancelled message may still have outcomes to record. */
    public boolean ended() {
        return this == COMPLETED || this == CANCELLED || this == FAILED;
    }
}

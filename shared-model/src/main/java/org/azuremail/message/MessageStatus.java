package org.azuremail.message;

import java.util.Map;
import java.util.Set;

/**
 * The states of a message; <em>paused</em> is a flag beside it. The only table of transitions: docs/state-machines.md draws it,
 * a test walks every pair.
 */
public enum MessageStatus {
    /** Written; waits for its date. The only state in which list and date change. */
    PENDING("Pending"),
    /** Being moved to another date; the next process that sees it finishes that. */
    MOVING("Moving"),
    /** Its recipients are being counted and queued. */
    QUEUING("Queuing"),
    /** All recipients are queued; mail goes out. */
    PROCESSING("Processing"),
    /** Every recipient has an outcome. */
    COMPLETED("Completed"),
    /** Stopped by a person; recipients who were not mailed are recorded as Skipped. */
    CANCELLED("Cancelled"),
    /** Never went out, for a reason that is beside it. */
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

    /** @throws IllegalArgumentException when no status is stored under this word */
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

    /** Returns whether its recipients are being mailed. */
    public boolean goesOut() {
        return this == QUEUING || this == PROCESSING;
    }

    /** Returns whether nothing goes out any more. A cancelled message may still have outcomes to record. */
    public boolean ended() {
        return this == COMPLETED || this == CANCELLED || this == FAILED;
    }
}

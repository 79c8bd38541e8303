package org.azuremail.storage;

import org.jspecify.annotations.Nullable;

/**
 * Broken infrastructure, as opposed to an outcome. The message names what the call was about. A write that threw with another
 * reason than {@code THROTTLED} or {@code DENIED} may or may not have happened.
 */
public class StorageException extends RuntimeException {

    public enum Reason {
        /** Too many requests: nothing happened, try later. */
        THROTTLED,
        /** The storage cannot be reached, or the connection broke off. */
        UNAVAILABLE,
        TIMED_OUT,
        DENIED,
        /** The stored data cannot be understood, or is newer than this program. */
        CORRUPT,
        /** The table, queue or container was deleted. */
        MISSING,
        UNKNOWN
    }

    private final Reason reason;

    public StorageException(Reason reason, String message, @Nullable Throwable cause) {
        super(message + " (" + reason + ")", cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    /** Returns whether the same call may succeed later. */
    public boolean retryable() {
        return reason == Reason.THROTTLED || reason == Reason.UNAVAILABLE || reason == Reason.TIMED_OUT;
    }

    /**
     * Returns whether work that fails with this exception must wait, because the storage is unavailable or something
     * is missing from it, and the work itself is not at fault.
     */
    public boolean makesWorkWait() {
        return retryable() || reason == Reason.MISSING;
    }
}

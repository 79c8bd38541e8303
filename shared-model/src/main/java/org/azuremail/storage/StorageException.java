package org.azuremail.storage;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the storage fails. A refused condition is not a failure but a result. The message names the object of the
 * call. A write that throws this exception may or may not have taken effect, unless the reason is {@code THROTTLED} or
 * {@code DENIED}.
 */
public class StorageException extends RuntimeException {

    public enum Reason {
        /** Too many requests. Nothing was changed, and a later call may succeed. */
        THROTTLED,
        /** The storage cannot be reached, or the connection broke off. */
        UNAVAILABLE,
        TIMED_OUT,
        DENIED,
        /** The stored data cannot be read, or it was written by a newer version of this program. */
        CORRUPT,
        /** The table, queue or container does not exist. */
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
     * Returns whether work that fails with this exception must wait, because the storage is unavailable or incomplete
     * and the work itself is not at fault.
     */
    public boolean postponesWork() {
        return retryable() || reason == Reason.MISSING;
    }
}

package org.azuremail.subscription;

import java.time.Instant;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;

/**
 * The bookkeeping beside a subscriber. It tells which satellite rows stand in the same partition, so that a batch knows
 * what to delete.
 *
 * @param leftAt since when a {@code left:} row stands: until the next time Verified is set
 * @param chore which {@code wait:} row stands
 * @param claimedUntil until when somebody is mailing the confirmation
 * @param doubts how many hand-overs of this confirmation ended without an answer
 * @param moved where the subscriber is going or has gone
 * @param movedFrom the address before this one
 */
public record Marks(
        @Nullable Instant leftAt,
        @Nullable Chore chore,
        @Nullable Instant claimedUntil,
        int doubts,
        @Nullable EmailAddress moved,
        @Nullable EmailAddress movedFrom) {

    /** What a {@code wait:} row waits for. */
    public enum Chore {
        /** The confirmation is to be mailed. */
        CONFIRMATION,
        /** The change of address is to be finished. */
        MOVE,
        /** The rows are to be removed as soon as no message needs them. */
        ERASURE
    }

    static final Marks NONE = new Marks(null, null, null, 0, null, null);
}

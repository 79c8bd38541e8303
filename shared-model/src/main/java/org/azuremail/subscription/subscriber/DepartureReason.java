package org.azuremail.subscription.subscriber;

import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;

/**
 * The reasons why somebody must not be mailed (any more): kept in the {@code left:} row, recorded with a skipped mail's
 * outcome.
 */
public enum DepartureReason implements Reason.Code {
    /** Left, by a link, a mail program's button or an admin's hand. */
    UNSUBSCRIBED,
    /** Must not be mailed, whatever the person wants. */
    SUPPRESSED,
    /** An admin took Verified away. */
    UNVERIFIED,
    /** The person gets mail under another address. */
    ADDRESS_CHANGED,
    /** The person is on another list instead. */
    MOVED,
    /** The person's rows are being erased. */
    ERASED,
    /** No row, or that of somebody else: erased since, or the list was deleted and created anew. In no row. */
    GONE;

    private static final String PROPERTY = "Reason";

    /** The reason of a departure in this very batch, by the subscriber's state and marks. */
    public static DepartureReason of(Subscriber gone) {
        Membership to = gone.bookkeeping().movedTo();
        if (gone.state() == SubscriberState.SUPPRESSED) {
            return SUPPRESSED;
        }
        if (gone.state() != SubscriberState.UNSUBSCRIBED) {
            return UNVERIFIED;
        }
        if (gone.bookkeeping().chore() == Bookkeeping.Chore.ERASURE) {
            return ERASED;
        }
        if (gone.bookkeeping().chore() == Bookkeeping.Chore.MOVE && to != null) {
            return to.list().equals(gone.list()) ? ADDRESS_CHANGED : MOVED;
        }
        return UNSUBSCRIBED;
    }

    /** Rows from before reasons were kept, and reasons that a later version wrote, count as having left. */
    public static DepartureReason of(Values leftRow) {
        String stored = leftRow.string(PROPERTY, "");
        for (DepartureReason reason : values()) {
            if (reason.name().equals(stored)) {
                return reason;
            }
        }
        return UNSUBSCRIBED;
    }

    public Values row(Subscriber gone) {
        return Values.builder()
                .put("LeftAt", gone.bookkeeping().leftAt())
                .put(PROPERTY, name())
                .build();
    }
}

package org.azuremail.subscription.subscriber;

import org.azuremail.reason.Reason;
import org.azuremail.storage.Values;

/**
 * The reasons why a person must get no email: stored in the {@code left:} row, and recorded with the outcome of a
 * skipped email.
 */
public enum DepartureReason implements Reason.Code {
    /** The person unsubscribed, by a link, a mail program's button or an admin. */
    UNSUBSCRIBED,
    /** The person is suppressed and gets no email. */
    SUPPRESSED,
    /** An admin removed Verified. */
    UNVERIFIED,
    ADDRESS_CHANGED,
    /** The person is on another list instead. */
    MOVED,
    /** The person's rows are being erased. */
    ERASED,
    /**
     * The person's row is missing or belongs to another person, because it was erased or the list was created anew.
     * Never stored.
     */
    GONE;

    private static final String PROPERTY = "Reason";

    /** Returns the reason of a departure in the present batch, by the subscriber's state and bookkeeping. */
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

    /**
     * Returns the reason in a row. Rows of older versions have none, and those of later versions may have unknown ones;
     * both count as unsubscribed.
     */
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

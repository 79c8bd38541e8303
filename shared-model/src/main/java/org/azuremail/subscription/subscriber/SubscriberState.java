package org.azuremail.subscription.subscriber;

/** The states of a subscriber. Only {@link #SUBSCRIBED} gets list mail. */
public enum SubscriberState {
    /** Asked to join, has not confirmed. */
    UNCONFIRMED("Unconfirmed"),
    /** Confirmed, or set Verified by an admin. */
    SUBSCRIBED("Subscribed"),
    /** Left; kept as proof of the withdrawal. */
    UNSUBSCRIBED("Unsubscribed"),
    /** Must not be mailed, whatever the person wants: bounces, complaints. */
    SUPPRESSED("Suppressed");

    private final String stored;

    SubscriberState(String stored) {
        this.stored = stored;
    }

    /** The word in the table, on pages and in the API. */
    public String stored() {
        return stored;
    }

    /** @throws IllegalArgumentException when no state is stored under this word */
    public static SubscriberState of(String stored) {
        for (SubscriberState state : values()) {
            if (state.stored.equalsIgnoreCase(stored)) {
                return state;
            }
        }
        throw new IllegalArgumentException("no subscriber state " + stored);
    }
}

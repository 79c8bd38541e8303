package org.azuremail.subscription.subscriber;

import org.azuremail.id.AsciiWord;

/** The states of a subscriber. Only {@link #SUBSCRIBED} gets the emails of the list. */
public enum SubscriberState {
    /** The person has asked to subscribe, but not confirmed. */
    UNCONFIRMED("Unconfirmed"),
    /** The person has confirmed, or an admin has set Verified. */
    SUBSCRIBED("Subscribed"),
    /** The person has unsubscribed; kept as proof of the withdrawal. */
    UNSUBSCRIBED("Unsubscribed"),
    /** The person gets no emails, whatever the person wants. */
    SUPPRESSED("Suppressed");

    private final String stored;

    SubscriberState(String stored) {
        this.stored = stored;
    }

    /** Returns the word in the table, on pages and in the API. */
    public String stored() {
        return stored;
    }

    /** @throws IllegalArgumentException if no state has this word */
    public static SubscriberState of(String stored) {
        for (SubscriberState state : values()) {
            if (AsciiWord.same(state.stored, stored)) {
                return state;
            }
        }
        throw new IllegalArgumentException("no subscriber state " + stored);
    }
}

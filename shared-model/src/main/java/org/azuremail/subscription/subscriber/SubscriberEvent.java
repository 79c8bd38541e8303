package org.azuremail.subscription.subscriber;

/** The events of a subscriber. {@link Transitions} defines which may happen in which state. */
public enum SubscriberEvent {
    /** The person asks to subscribe, and has to confirm. */
    ASKED,
    /** The person subscribes at once: by single opt-in, a verified row of an import, or the end of a move. */
    JOINED,
    /** An admin or an import adds the person without Verified. */
    ADDED,
    /** The person clicks the confirmation's button. */
    CONFIRMED,
    VERIFIED,
    UNVERIFIED,
    LEFT,
    /** The person undoes unsubscribing soon after it. */
    RETURNED,
    /** The person must get no more emails. */
    SUPPRESSED,
    RELEASED,
    /** Another address, or a row on another list, replaces this row. */
    MOVED,
    /** This row replaces another address, or a row on another list; it is inactive at first. */
    ARRIVING;

    /** Returns whether earlier confirmation links must not subscribe the person afterwards. */
    boolean endsEpisode() {
        return switch (this) {
            case UNVERIFIED, LEFT, SUPPRESSED, MOVED -> true;
            case ASKED, JOINED, ADDED, CONFIRMED, VERIFIED, RETURNED, RELEASED, ARRIVING -> false;
        };
    }
}

package org.azuremail.subscription.subscriber;

/** The events of a subscriber; {@link Transitions} says which may happen in which state. */
public enum SubscriberEvent {
    /** Asks to subscribe, and has to confirm. */
    ASKED,
    /** Subscribes at once: single opt-in, a verified row of an import, or the end of a move. */
    JOINED,
    /** Is added without Verified, by an admin or an import. */
    ADDED,
    /** Clicks the confirmation's button. */
    CONFIRMED,
    VERIFIED,
    UNVERIFIED,
    LEFT,
    /** Undoes unsubscribing at once. */
    RETURNED,
    /** Must get no more emails, whatever the person wants. */
    SUPPRESSED,
    RELEASED,
    /** Another address, or a row on another list, replaces this one. */
    MOVED,
    /** Replaces another address, or a row on another list; inactive at first. */
    ARRIVING;

    /** Returns whether earlier confirmation links must not subscribe the person afterwards. */
    boolean endsEpisode() {
        return switch (this) {
            case UNVERIFIED, LEFT, SUPPRESSED, MOVED -> true;
            case ASKED, JOINED, ADDED, CONFIRMED, VERIFIED, RETURNED, RELEASED, ARRIVING -> false;
        };
    }
}

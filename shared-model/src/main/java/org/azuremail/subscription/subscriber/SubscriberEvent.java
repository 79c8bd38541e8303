package org.azuremail.subscription.subscriber;

/** The events of a subscriber; {@link Transitions} says which may happen in which state. */
public enum SubscriberEvent {
    /** Asks to join and has to confirm by mail. */
    ASKED,
    /** Joins at once: single opt-in, a verified row of an import, or the end of a move. */
    JOINED,
    /** Put on the list without being Verified, by an admin or an import. */
    ADDED,
    /** Presses the confirmation's button. */
    CONFIRMED,
    /** An admin sets Verified. */
    VERIFIED,
    /** An admin takes Verified away. */
    UNVERIFIED,
    /** Leaves. */
    LEFT,
    /** Takes leaving back at once. */
    RETURNED,
    /** Must not be mailed any more, whatever the person wants. */
    SUPPRESSED,
    /** The suppression is taken back. */
    RELEASED,
    /** Another address, or a row on another list, takes this one's place. */
    MOVED,
    /** Takes the place of another address or of a row on another list, inactive at first. */
    ARRIVING;

    /** Returns whether a confirmation's link from before must not bring the person back afterwards. */
    boolean endsEpisode() {
        return switch (this) {
            case UNVERIFIED, LEFT, SUPPRESSED, MOVED -> true;
            case ASKED, JOINED, ADDED, CONFIRMED, VERIFIED, RETURNED, RELEASED, ARRIVING -> false;
        };
    }
}

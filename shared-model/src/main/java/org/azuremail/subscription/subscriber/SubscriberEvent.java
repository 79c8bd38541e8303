package org.azuremail.subscription.subscriber;

import static org.azuremail.subscription.subscriber.SubscriberState.SUBSCRIBED;
import static org.azuremail.subscription.subscriber.SubscriberState.UNCONFIRMED;
import static org.azuremail.subscription.subscriber.SubscriberState.UNSUBSCRIBED;

import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The events of a subscriber, each with the states in which it can happen and the state after it. No other transitions
 * can happen; {@code docs/state-machines.md} shows them.
 */
@SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable.
public enum SubscriberEvent {
    /** The person asks to subscribe, and has to confirm. */
    ASKED(true, Set.of(UNCONFIRMED, UNSUBSCRIBED), UNCONFIRMED),
    /** The person subscribes at once: by single opt-in, a verified row of an import, or the end of a move. */
    JOINED(true, Set.of(UNCONFIRMED), SUBSCRIBED),
    /** An admin or an import adds the person without Verified. */
    ADDED(true, Set.of(), UNCONFIRMED),
    CONFIRMED(false, Set.of(UNCONFIRMED), SUBSCRIBED),
    VERIFIED(true, Set.of(UNCONFIRMED, UNSUBSCRIBED), SUBSCRIBED),
    UNVERIFIED(false, Set.of(SUBSCRIBED), UNCONFIRMED),
    LEFT(false, Set.of(UNCONFIRMED, SUBSCRIBED), UNSUBSCRIBED),
    /** The person undoes unsubscribing soon after it. */
    RETURNED(false, Set.of(UNSUBSCRIBED), SUBSCRIBED),
    /** The person must get no more emails. */
    SUPPRESSED(false, Set.of(UNCONFIRMED, SUBSCRIBED, UNSUBSCRIBED), SubscriberState.SUPPRESSED),
    RELEASED(false, Set.of(SubscriberState.SUPPRESSED), UNSUBSCRIBED),
    /** Another address, or a row on another list, replaces this row. */
    MOVED(false, Set.of(UNCONFIRMED, SUBSCRIBED), UNSUBSCRIBED),
    /** This row replaces another address, or a row on another list; it is inactive at first. */
    ARRIVING(true, Set.of(UNSUBSCRIBED), UNCONFIRMED);

    private final boolean adds;
    private final Set<SubscriberState> before;
    private final SubscriberState after;

    /** @param adds whether it can happen to a person who is not on the list */
    SubscriberEvent(boolean adds, Set<SubscriberState> before, SubscriberState after) {
        this.adds = adds;
        this.before = before;
        this.after = after;
    }

    /**
     * Returns the state after this event; empty if it cannot happen.
     *
     * @param state {@code null} for a person who is not on the list
     */
    public Optional<SubscriberState> after(@Nullable SubscriberState state) {
        boolean possible = state == null ? adds : before.contains(state);
        return possible ? Optional.of(after) : Optional.empty();
    }

    /** @throws IllegalStateException if the event cannot happen, which the caller should have checked */
    public SubscriberState requireAfter(@Nullable SubscriberState state) {
        return after(state).orElseThrow(() -> new IllegalStateException(this + " cannot happen to " + state));
    }

    /** Returns whether earlier confirmation links must not subscribe the person afterwards. */
    boolean endsEpisode() {
        return switch (this) {
            case UNVERIFIED, LEFT, SUPPRESSED, MOVED -> true;
            case ASKED, JOINED, ADDED, CONFIRMED, VERIFIED, RETURNED, RELEASED, ARRIVING -> false;
        };
    }
}

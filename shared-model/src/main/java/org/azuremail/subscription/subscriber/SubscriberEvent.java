package org.azuremail.subscription.subscriber;

import static org.azuremail.subscription.subscriber.SubscriberState.SUBSCRIBED;
import static org.azuremail.subscription.subscriber.SubscriberState.UNCONFIRMED;
import static org.azuremail.subscription.subscriber.SubscriberState.UNSUBSCRIBED;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The events of a subscriber, each with the state of a new subscriber after it, if it can add one, and the states before
 * and after it. No other transitions can happen; {@code docs/state-machines.md} shows them.
 */
public enum SubscriberEvent {
    /** The person asks to subscribe, and has to confirm. */
    ASKED(UNCONFIRMED, Map.of(UNCONFIRMED, UNCONFIRMED, UNSUBSCRIBED, UNCONFIRMED)),
    /** The person subscribes at once: by single opt-in, a verified row of an import, or the end of a move. */
    JOINED(SUBSCRIBED, Map.of(UNCONFIRMED, SUBSCRIBED)),
    /** An admin or an import adds the person without Verified. */
    ADDED(UNCONFIRMED, Map.of()),
    CONFIRMED(null, Map.of(UNCONFIRMED, SUBSCRIBED)),
    VERIFIED(SUBSCRIBED, Map.of(UNCONFIRMED, SUBSCRIBED, UNSUBSCRIBED, SUBSCRIBED)),
    UNVERIFIED(null, Map.of(SUBSCRIBED, UNCONFIRMED)),
    LEFT(null, Map.of(UNCONFIRMED, UNSUBSCRIBED, SUBSCRIBED, UNSUBSCRIBED)),
    /** The person undoes unsubscribing soon after it. */
    RETURNED(null, Map.of(UNSUBSCRIBED, SUBSCRIBED)),
    /** The person must get no more emails. */
    SUPPRESSED(
            null,
            Map.of(
                    UNCONFIRMED, SubscriberState.SUPPRESSED,
                    SUBSCRIBED, SubscriberState.SUPPRESSED,
                    UNSUBSCRIBED, SubscriberState.SUPPRESSED)),
    RELEASED(null, Map.of(SubscriberState.SUPPRESSED, UNSUBSCRIBED)),
    /** Another address, or a row on another list, replaces this row. */
    MOVED(null, Map.of(UNCONFIRMED, UNSUBSCRIBED, SUBSCRIBED, UNSUBSCRIBED)),
    /** This row replaces another address, or a row on another list; it is inactive at first. */
    ARRIVING(UNCONFIRMED, Map.of(UNSUBSCRIBED, UNCONFIRMED));

    private final @Nullable SubscriberState first;
    private final Map<SubscriberState, SubscriberState> transitions;

    SubscriberEvent(@Nullable SubscriberState first, Map<SubscriberState, SubscriberState> transitions) {
        this.first = first;
        this.transitions = transitions;
    }

    /**
     * Returns the state after this event; empty if it cannot happen.
     *
     * @param state {@code null} for a person who is not on the list
     */
    public Optional<SubscriberState> after(@Nullable SubscriberState state) {
        return Optional.ofNullable(state == null ? first : transitions.get(state));
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

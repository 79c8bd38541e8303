package org.azuremail.subscription.subscriber;

import static org.azuremail.subscription.subscriber.SubscriberState.SUBSCRIBED;
import static org.azuremail.subscription.subscriber.SubscriberState.SUPPRESSED;
import static org.azuremail.subscription.subscriber.SubscriberState.UNCONFIRMED;
import static org.azuremail.subscription.subscriber.SubscriberState.UNSUBSCRIBED;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table of a subscriber's transitions, drawn in {@code docs/state-machines.md}. No other transitions can happen.
 */
public final class Transitions {

    private static final Map<SubscriberEvent, Map<SubscriberState, SubscriberState>> TABLE =
            new EnumMap<>(SubscriberEvent.class);
    private static final Map<SubscriberEvent, SubscriberState> FIRST = new EnumMap<>(Map.of(
            SubscriberEvent.ASKED, UNCONFIRMED,
            SubscriberEvent.JOINED, SUBSCRIBED,
            SubscriberEvent.ADDED, UNCONFIRMED,
            SubscriberEvent.VERIFIED, SUBSCRIBED,
            SubscriberEvent.ARRIVING, UNCONFIRMED));

    static {
        TABLE.put(SubscriberEvent.ASKED, Map.of(UNCONFIRMED, UNCONFIRMED, UNSUBSCRIBED, UNCONFIRMED));
        TABLE.put(SubscriberEvent.JOINED, Map.of(UNCONFIRMED, SUBSCRIBED));
        TABLE.put(SubscriberEvent.ADDED, Map.of());
        TABLE.put(SubscriberEvent.CONFIRMED, Map.of(UNCONFIRMED, SUBSCRIBED));
        TABLE.put(SubscriberEvent.VERIFIED, Map.of(UNCONFIRMED, SUBSCRIBED, UNSUBSCRIBED, SUBSCRIBED));
        TABLE.put(SubscriberEvent.UNVERIFIED, Map.of(SUBSCRIBED, UNCONFIRMED));
        TABLE.put(SubscriberEvent.LEFT, Map.of(UNCONFIRMED, UNSUBSCRIBED, SUBSCRIBED, UNSUBSCRIBED));
        TABLE.put(SubscriberEvent.RETURNED, Map.of(UNSUBSCRIBED, SUBSCRIBED));
        TABLE.put(
                SubscriberEvent.SUPPRESSED,
                Map.of(UNCONFIRMED, SUPPRESSED, SUBSCRIBED, SUPPRESSED, UNSUBSCRIBED, SUPPRESSED));
        TABLE.put(SubscriberEvent.RELEASED, Map.of(SUPPRESSED, UNSUBSCRIBED));
        TABLE.put(SubscriberEvent.MOVED, Map.of(UNCONFIRMED, UNSUBSCRIBED, SUBSCRIBED, UNSUBSCRIBED));
        TABLE.put(SubscriberEvent.ARRIVING, Map.of(UNSUBSCRIBED, UNCONFIRMED));
    }

    private Transitions() {}

    /**
     * Returns the state after an event; empty if the event cannot happen.
     *
     * @param state {@code null} for a person who is not on the list
     */
    public static Optional<SubscriberState> after(@Nullable SubscriberState state, SubscriberEvent event) {
        return state == null
                ? Optional.ofNullable(FIRST.get(event))
                : Optional.ofNullable(TABLE.getOrDefault(event, Map.of()).get(state));
    }

    /** @throws IllegalStateException if the event cannot happen, which the caller should have checked */
    public static SubscriberState require(@Nullable SubscriberState state, SubscriberEvent event) {
        return after(state, event).orElseThrow(() -> new IllegalStateException(event + " cannot happen to " + state));
    }
}

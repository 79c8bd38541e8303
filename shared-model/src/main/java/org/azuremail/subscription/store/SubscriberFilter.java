package org.azuremail.subscription.store;

import java.util.Locale;
import java.util.Set;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.jspecify.annotations.Nullable;

/**
 * The subscribers of a list to show.
 *
 * @param prefix how the address begins, in any case; empty for all
 * @param states in which of these states; empty for all
 * @param moved whether only those who moved, who are Unsubscribed, or only the others; {@code null} for both
 * @param search finds and sorts them by a field; {@code null} for the address
 */
public record SubscriberFilter(
        String prefix,
        Set<SubscriberState> states,
        @Nullable Boolean moved,
        @Nullable FieldSearch search) {

    public static final SubscriberFilter ALL = new SubscriberFilter("", Set.of());

    public SubscriberFilter(String prefix, Set<SubscriberState> states) {
        this(prefix, states, null, null);
    }

    public SubscriberFilter(String prefix, Set<SubscriberState> states, @Nullable Boolean moved) {
        this(prefix, states, moved, null);
    }

    public SubscriberFilter {
        prefix = prefix.strip().toLowerCase(Locale.ROOT);
        states = Set.copyOf(states);
    }

    /** The same people, by a field. */
    public SubscriberFilter by(FieldSearch other) {
        return new SubscriberFilter("", states, moved, other);
    }

    boolean takes(Subscriber subscriber) {
        boolean there = moved == null || moved == subscriber.movedTo().isPresent();
        return there && (states.isEmpty() || states.contains(subscriber.state()));
    }
}

package org.azuremail.subscription.store;

import java.util.Locale;
import java.util.Set;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;
import org.jspecify.annotations.Nullable;

/**
 * Selects subscribers of a list.
 *
 * @param prefix the beginning of the address, in any case; empty for all
 * @param states the states to include; empty for all
 * @param moved whether to include only those who moved, or only the others; {@code null} for both
 * @param search finds and sorts them by a field; {@code null} to use the address
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

    /** The same with a search by a field instead of the address. */
    public SubscriberFilter by(FieldSearch other) {
        return new SubscriberFilter("", states, moved, other);
    }

    boolean takes(Subscriber subscriber) {
        boolean there = moved == null || moved == subscriber.movedTo().isPresent();
        return there && (states.isEmpty() || states.contains(subscriber.state()));
    }
}

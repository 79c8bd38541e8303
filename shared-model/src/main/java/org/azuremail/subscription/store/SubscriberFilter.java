package org.azuremail.subscription.store;

import java.util.Locale;
import java.util.Set;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.subscription.subscriber.SubscriberState;

/**
 * Whom to show of a list.
 *
 * @param prefix how the address begins, in any case; empty for all
 * @param states in which of these states; empty for all
 */
public record SubscriberFilter(String prefix, Set<SubscriberState> states) {

    public static final SubscriberFilter ALL = new SubscriberFilter("", Set.of());

    public SubscriberFilter {
        prefix = prefix.strip().toLowerCase(Locale.ROOT);
        states = Set.copyOf(states);
    }

    boolean takes(Subscriber subscriber) {
        return states.isEmpty() || states.contains(subscriber.state());
    }
}

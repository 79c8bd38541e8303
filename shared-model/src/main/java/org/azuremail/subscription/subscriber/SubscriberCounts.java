package org.azuremail.subscription.subscriber;

import java.util.EnumMap;
import java.util.Map;
import org.azuremail.storage.Values;

/** How many subscribers of a list, or of one shard, are in each state. Exact. */
public record SubscriberCounts(long unconfirmed, long subscribed, long unsubscribed, long suppressed) {

    public static final SubscriberCounts NONE = new SubscriberCounts(0, 0, 0, 0);

    public long total() {
        return unconfirmed + subscribed + unsubscribed + suppressed;
    }

    public long of(SubscriberState state) {
        return switch (state) {
            case UNCONFIRMED -> unconfirmed;
            case SUBSCRIBED -> subscribed;
            case UNSUBSCRIBED -> unsubscribed;
            case SUPPRESSED -> suppressed;
        };
    }

    public Map<SubscriberState, Long> byState() {
        Map<SubscriberState, Long> counts = new EnumMap<>(SubscriberState.class);
        for (SubscriberState state : SubscriberState.values()) {
            counts.put(state, of(state));
        }
        return counts;
    }

    public SubscriberCounts plus(SubscriberCounts other) {
        return new SubscriberCounts(
                unconfirmed + other.unconfirmed,
                subscribed + other.subscribed,
                unsubscribed + other.unsubscribed,
                suppressed + other.suppressed);
    }

    public SubscriberCounts plus(SubscriberState state, long change) {
        return plus(
                switch (state) {
                    case UNCONFIRMED -> new SubscriberCounts(change, 0, 0, 0);
                    case SUBSCRIBED -> new SubscriberCounts(0, change, 0, 0);
                    case UNSUBSCRIBED -> new SubscriberCounts(0, 0, change, 0);
                    case SUPPRESSED -> new SubscriberCounts(0, 0, 0, change);
                });
    }

    public static SubscriberCounts from(Values values) {
        return new SubscriberCounts(
                values.number("Unconfirmed", 0),
                values.number("Subscribed", 0),
                values.number("Unsubscribed", 0),
                values.number("Suppressed", 0));
    }

    public Values toValues() {
        return Values.builder()
                .put("Unconfirmed", unconfirmed)
                .put("Subscribed", subscribed)
                .put("Unsubscribed", unsubscribed)
                .put("Suppressed", suppressed)
                .build();
    }
}

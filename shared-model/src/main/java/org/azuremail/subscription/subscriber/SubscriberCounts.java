package org.azuremail.subscription.subscriber;

import java.util.EnumMap;
import java.util.Map;
import org.azuremail.storage.Values;

/**
 * The number of subscribers of a list, or of one shard, in each state. Exact.
 *
 * @param unsubscribed without people who moved
 * @param moved rows of people who moved to another address or list; those moved by older versions are among the
 *     unsubscribed
 */
public record SubscriberCounts(long unconfirmed, long subscribed, long unsubscribed, long suppressed, long moved) {

    public static final SubscriberCounts NONE = new SubscriberCounts(0, 0, 0, 0, 0);

    private static final String UNSUBSCRIBED = "Unsubscribed";

    /** Returns the number of rows, including those of people who moved. */
    public long total() {
        return people() + moved;
    }

    /** Returns the number of rows without those of people who moved. */
    public long people() {
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
                suppressed + other.suppressed,
                moved + other.moved);
    }

    public SubscriberCounts plus(Subscriber subscriber, long change) {
        if (subscriber.movedTo().isPresent()) {
            return plus(new SubscriberCounts(0, 0, 0, 0, change));
        }
        return plus(
                switch (subscriber.state()) {
                    case UNCONFIRMED -> new SubscriberCounts(change, 0, 0, 0, 0);
                    case SUBSCRIBED -> new SubscriberCounts(0, change, 0, 0, 0);
                    case UNSUBSCRIBED -> new SubscriberCounts(0, 0, change, 0, 0);
                    case SUPPRESSED -> new SubscriberCounts(0, 0, 0, change, 0);
                });
    }

    public static SubscriberCounts from(Values values) {
        long left = values.number(UNSUBSCRIBED, 0);
        long moved = Math.max(0, Math.min(left, values.number("Moved", 0)));
        return new SubscriberCounts(
                values.number("Unconfirmed", 0),
                values.number("Subscribed", 0),
                left - moved,
                values.number("Suppressed", 0),
                moved);
    }

    /** Returns the properties of the counts; as in older versions, the unsubscribed include the moved. */
    public Values toValues() {
        return Values.builder()
                .put("Unconfirmed", unconfirmed)
                .put("Subscribed", subscribed)
                .put(UNSUBSCRIBED, unsubscribed + moved)
                .put("Suppressed", suppressed)
                .put("Moved", moved == 0 ? null : moved)
                .build();
    }
}

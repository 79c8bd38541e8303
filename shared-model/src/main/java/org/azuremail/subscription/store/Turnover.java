package org.azuremail.subscription.store;

import org.azuremail.storage.Values;

/**
 * The number of people who are Subscribed, and how often anybody ever became so and ceased to be so. Exact, unless an older version,
 * which does not count this, has written the row.
 */
public record Turnover(long subscribed, long joined, long left) {

    public static final Turnover NONE = new Turnover(0, 0, 0);

    private static final String JOINED = "Joined";
    private static final String LEFT = "Left";

    static Turnover from(Values values) {
        return new Turnover(values.number("Subscribed", 0), values.number(JOINED, 0), values.number(LEFT, 0));
    }

    /** @param change of the number of people who are Subscribed */
    Turnover after(long change) {
        return new Turnover(subscribed + change, joined + Math.max(0, change), left + Math.max(0, -change));
    }

    Turnover plus(Turnover other) {
        return new Turnover(subscribed + other.subscribed, joined + other.joined, left + other.left);
    }

    Values into(Values counts) {
        return counts.with(JOINED, joined).with(LEFT, left);
    }
}

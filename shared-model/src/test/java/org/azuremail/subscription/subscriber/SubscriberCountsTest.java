package org.azuremail.subscription.subscriber;

import static org.assertj.core.api.Assertions.assertThat;

import org.azuremail.storage.Values;
import org.junit.jupiter.api.Test;

/** Checks the counts of people who moved, including rows of older versions, which counted them as unsubscribed. */
class SubscriberCountsTest {

    private static final SubscriberCounts ONE_MOVED = new SubscriberCounts(1, 2, 3, 4, 1);

    @Test
    void olderVersionsReadThoseWhoMovedAsUnsubscribed() {
        assertThat(ONE_MOVED.toValues().number("Unsubscribed", 0)).isEqualTo(4);
        assertThat(SubscriberCounts.from(ONE_MOVED.toValues())).isEqualTo(ONE_MOVED);
    }

    @Test
    void aRowOfAnOlderVersionNeverYieldsNegativeCounts() {
        Values old = ONE_MOVED.toValues().with("Moved", null);
        assertThat(SubscriberCounts.from(old)).isEqualTo(new SubscriberCounts(1, 2, 4, 4, 0));

        Values oneGone = SubscriberCounts.from(old)
                .plus(new SubscriberCounts(0, 0, 0, 0, -1))
                .toValues();

        assertThat(SubscriberCounts.from(oneGone)).isEqualTo(new SubscriberCounts(1, 2, 3, 4, 0));
    }
}

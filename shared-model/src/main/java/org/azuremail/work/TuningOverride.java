package org.azuremail.work;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * An admin's changes to a queue or a scheduled service. A value that is {@code null} is unchanged.
 *
 * @param name the name of the queue or the service
 * @param interval the time from the beginning of one run to the beginning of the next
 * @param priority how much likelier the queue is polled than another queue of its pool; more than 0
 * @param perSecond how many items a second all processes together take from one queue of the storage
 * @param at when it was changed
 * @param by the admin who changed it
 */
public record TuningOverride(
        String name,
        @Nullable Duration interval,
        @Nullable Integer priority,
        @Nullable Integer perSecond,
        Instant at,
        String by) {

    public static final int MAX_PRIORITY = 100;

    public static final int MAX_PER_SECOND = 1_000_000;

    public TuningOverride {
        Assert.isTrue(
                interval == null || interval.compareTo(Duration.ofSeconds(1)) >= 0,
                "an interval of less than a second");
        Assert.isTrue(priority == null || (priority >= 1 && priority <= MAX_PRIORITY), "a priority of " + priority);
        Assert.isTrue(perSecond == null || (perSecond >= 1 && perSecond <= MAX_PER_SECOND), "a limit of " + perSecond);
    }

    boolean isDefault() {
        return interval == null && priority == null && perSecond == null;
    }
}

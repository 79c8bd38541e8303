package org.azuremail.sender;

import java.time.Duration;
import org.azuremail.delivery.range.DeliveryLimits;

/**
 * Limits so small that a dozen recipients cross every boundary of a batch, a page and a range. Clocks may be a minute
 * apart.
 */
final class Shrunk {

    static final DeliveryLimits LIMITS = new DeliveryLimits(
            5,
            7,
            4,
            Duration.ofSeconds(30),
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(15),
            Duration.ofSeconds(60));

    /** The same limits, with ranges of more than two clears, for lots that are longer than a clear. */
    static final DeliveryLimits LONG_LOTS = new DeliveryLimits(
            LIMITS.batch(),
            LIMITS.page(),
            9,
            LIMITS.lease(),
            LIMITS.ownMargin(),
            LIMITS.skew(),
            LIMITS.watch(),
            LIMITS.requeueAfter());

    private Shrunk() {}
}

package org.azuremail.work.run;

import java.time.Duration;
import org.azuremail.time.Durations;

/** Decides how often an item may fail, and how long it rests between tries. */
final class RetryPolicy {

    /** The number of failures after which an item becomes a dead letter. */
    static final int MAX_FAILURES = 5;

    private static final Duration FIRST_REST = Duration.ofSeconds(1);
    static final Duration MAX_REST = Duration.ofMinutes(1);

    private RetryPolicy() {}

    /** Returns the rest after this many failures: 1, 4, 16 and then 60 seconds. */
    static Duration backoffAfter(int failures) {
        int exponent = Math.min(Math.max(failures, 1) - 1, 3);
        return Durations.min(FIRST_REST.multipliedBy(1L << (2 * exponent)), MAX_REST);
    }
}

package org.azuremail.work.pace;

import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;

/**
 * The interval at which a queue is polled although no signal came and no work is known to be under way.
 *
 * @param every a duration, or {@link #NEVER}
 */
public record SafetyPoll(Duration every) {

    /** A duration that is longer than any process lives. */
    public static final Duration NEVER = Duration.ofDays(36_500);

    /** Parses a duration as in other settings, or {@code never}. */
    public static SafetyPoll valueOf(String text) {
        return new SafetyPoll(text.equalsIgnoreCase("never") ? NEVER : DurationStyle.detectAndParse(text));
    }

    public boolean never() {
        return every.equals(NEVER);
    }
}

package org.azuremail.time;

import java.time.Duration;

/** Compares durations, for which the JDK has no {@code min} and {@code max}. */
public final class Durations {

    private Durations() {}

    public static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    public static Duration max(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}

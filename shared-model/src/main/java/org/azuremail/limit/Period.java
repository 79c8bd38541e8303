package org.azuremail.limit;

import java.time.Duration;
import java.util.Locale;

/** A stretch of time for which providers limit mails. */
enum Period {
    SECOND(Duration.ofSeconds(1)),
    MINUTE(Duration.ofMinutes(1)),
    HOUR(Duration.ofHours(1)),
    DAY(Duration.ofDays(1));

    private final Duration length;

    Period(Duration length) {
        this.length = length;
    }

    Duration length() {
        return length;
    }

    /** For people: {@code a day} is what it is behind. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}

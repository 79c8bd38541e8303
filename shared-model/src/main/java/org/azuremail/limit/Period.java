package org.azuremail.limit;

import java.time.Duration;
import java.util.Locale;
import org.azuremail.reason.ReasonCode;

/** A period longer than a second for which providers limit emails. */
enum Period {
    MINUTE(Duration.ofMinutes(1), ReasonCode.RATE_MINUTE),
    HOUR(Duration.ofHours(1), ReasonCode.RATE_HOUR),
    DAY(Duration.ofDays(1), ReasonCode.RATE_DAY);

    private final Duration length;
    private final ReasonCode reached;

    Period(Duration length, ReasonCode reached) {
        this.length = length;
        this.reached = reached;
    }

    Duration length() {
        return length;
    }

    /** Returns the code of the reason that the limit is reached. */
    ReasonCode reached() {
        return reached;
    }

    /** Returns the name in the form that names of properties use. */
    String capitalized() {
        return name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
    }
}

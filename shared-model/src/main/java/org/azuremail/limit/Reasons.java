package org.azuremail.limit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Which limit is reached, in words for the message's page. */
final class Reasons {

    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern(
                    "d MMM yyyy, HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private Reasons() {}

    static String reached(String provider, int perSecond) {
        return RateLimit.WORDS + "%s is reached: %d mails a second".formatted(provider, perSecond);
    }

    /** Whoever waits for the minute sees it pass; hours and days need a time. */
    static String reached(String provider, Window window, Instant free) {
        String reached = RateLimit.WORDS
                + "%s is reached: %d mails %s %s%s"
                        .formatted(
                                provider,
                                window.limit(),
                                window.period() == Period.HOUR ? "an" : "a",
                                window.period().word(),
                                window.kept() == 0 ? "" : ", of which %d are kept".formatted(window.kept()));
        return window.period() == Period.MINUTE ? reached : reached + "; goes on at " + MINUTE.format(roundedUp(free));
    }

    private static Instant roundedUp(Instant instant) {
        return instant.plusSeconds(59);
    }
}

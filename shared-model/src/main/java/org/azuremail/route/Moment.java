package org.azuremail.route;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A moment for people, in UTC and to the second. */
final class Moment {

    private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern(
                    "d MMM yyyy, HH:mm:ss 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private Moment() {}

    static String of(Instant instant) {
        return SHOWN.format(instant);
    }
}

package org.azuremail.web.layout;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Shows moments in the zone of the installation. */
public final class Moments {

    private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter WITH_ZONE =
            DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm '('VV')'", Locale.ENGLISH);

    private final ZoneId zone;

    public Moments(ZoneId zone) {
        this.zone = zone;
    }

    /** Date and time to the minute. */
    public String show(Instant moment) {
        return SHOWN.format(moment.atZone(zone));
    }

    /** Date and time in the zone in which somebody typed it, with the zone's name. */
    public String show(Instant moment, ZoneId typedIn) {
        return WITH_ZONE.format(moment.atZone(typedIn));
    }
}

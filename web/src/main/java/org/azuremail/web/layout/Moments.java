package org.azuremail.web.layout;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Shows moments in the zone of the installation. */
public final class Moments {

    private static final DateTimeFormatter SHOWN = DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm", Locale.ENGLISH);
    private static final DateTimeFormatter TO_THE_SECOND =
            DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm:ss '('VV')'", Locale.ENGLISH);
    private static final DateTimeFormatter WITH_ZONE =
            DateTimeFormatter.ofPattern("d MMM yyyy, HH:mm '('VV')'", Locale.ENGLISH);

    private final ZoneId zone;

    public Moments(ZoneId zone) {
        this.zone = zone;
    }

    /** The zone in which moments are shown. */
    public String zone() {
        return zone.getId();
    }

    /** Date and time to the minute, with the zone's name. */
    public String named(Instant moment) {
        return WITH_ZONE.format(moment.atZone(zone));
    }

    /** Date and time to the second, with the zone's name; for what is less than a few minutes away. */
    public String exactly(Instant moment) {
        return TO_THE_SECOND.format(moment.atZone(zone));
    }

    /** Date and time to the minute. */
    public String show(Instant moment) {
        return SHOWN.format(moment.atZone(zone));
    }

    /** The same with the zone's name, and beside it as somebody typed it in another zone. */
    public String show(Instant moment, ZoneId typedIn) {
        String typed = WITH_ZONE.format(moment.atZone(typedIn));
        return sameHere(moment, typedIn) ? named(moment) : named(moment) + ", typed as " + typed;
    }

    private boolean sameHere(Instant moment, ZoneId other) {
        return zone.getRules().getOffset(moment).equals(other.getRules().getOffset(moment));
    }
}

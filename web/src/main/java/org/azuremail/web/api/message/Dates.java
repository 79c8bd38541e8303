package org.azuremail.web.api.message;

import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.azuremail.message.Schedule;
import org.azuremail.web.api.Fields;
import org.jspecify.annotations.Nullable;

/** Dates of messages as calls give them. A program is asked for the zone of a local time: no default is right by luck. */
final class Dates {

    private static final String WHICH_ZONE = "scheduledAt is a local time: name its time zone, as Europe/Berlin,"
            + " or give scheduledAt an offset, as 2030-12-24T18:00:00+01:00.";

    private Dates() {}

    /**
     * Reads when a message is due.
     *
     * @param date with an offset, or local with a zone; missing means now
     * @param otherwise the zone in which the date is shown where the call names none
     * @return empty when it was refused; what is wrong is among the fields
     */
    static Optional<Schedule> read(
            @Nullable String date, @Nullable String zone, ZoneId otherwise, Instant now, Fields fields) {
        Schedule.Read read = Schedule.read(date, zone, otherwise, now);
        if (read instanceof Schedule.Read.Refused refused) {
            fields.refuse(refused.problem().field(), refused.problem().message());
            return Optional.empty();
        }
        if (isMissing(zone) && date != null && !date.isBlank() && Schedule.isLocal(date)) {
            fields.refuse("zone", WHICH_ZONE);
            return Optional.empty();
        }
        return Optional.of(((Schedule.Read.Valid) read).schedule());
    }

    private static boolean isMissing(@Nullable String value) {
        return value == null || value.isBlank();
    }
}

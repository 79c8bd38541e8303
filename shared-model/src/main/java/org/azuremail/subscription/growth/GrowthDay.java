package org.azuremail.subscription.growth;

import java.time.LocalDate;
import org.azuremail.storage.Row;
import org.azuremail.storage.Values;

/**
 * A day of a list, or of all lists.
 *
 * @param day in the zone of the installation
 * @param subscribed at the end of the day
 * @param joined how often somebody became Subscribed on this day
 * @param left how often somebody ceased to be so
 */
public record GrowthDay(LocalDate day, long subscribed, long joined, long left) {

    static final String PREFIX = "day:";

    /** Before anything happened on this day. */
    long subscribedBefore() {
        return subscribed - joined + left;
    }

    GrowthDay plus(GrowthDay other) {
        return new GrowthDay(day, subscribed + other.subscribed, joined + other.joined, left + other.left);
    }

    static String key(LocalDate day) {
        return PREFIX + day;
    }

    static GrowthDay of(Row row) {
        Values values = row.values();
        return new GrowthDay(
                LocalDate.parse(row.rowKey().substring(PREFIX.length())),
                values.number("Subscribed", 0),
                values.number("Joined", 0),
                values.number("Left", 0));
    }

    Values values() {
        return Values.builder()
                .put("Subscribed", subscribed)
                .put("Joined", joined)
                .put("Left", left)
                .build();
    }
}

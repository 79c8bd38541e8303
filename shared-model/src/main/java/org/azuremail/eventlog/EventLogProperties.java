package org.azuremail.eventlog;

import java.time.Duration;
import org.azuremail.eventlog.Event.EventLevel;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the event log.
 *
 * @param level the mildest level that is kept
 * @param keep the age after which entries are deleted, within a day and a half
 */
@ConfigurationProperties("azuremail.event-log")
record EventLogProperties(
        @DefaultValue("warning") EventLevel level,
        @DefaultValue("30d") Duration keep) {

    EventLogProperties {
        if (keep.compareTo(Duration.ofDays(1)) < 0 || keep.compareTo(Duration.ofDays(366)) > 0) {
            throw new IllegalArgumentException("azuremail.event-log.keep must be 1 to 366 days, not " + keep);
        }
    }
}

package org.azuremail.eventlog;

import java.time.Duration;
import org.azuremail.eventlog.Event.EventLevel;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the event log.
 *
 * @param level the mildest level that is kept
 * @param keep the age after which entries are deleted, within a day and a half
 */
@Validated
@ConfigurationProperties("azuremail.event-log")
record EventLogProperties(
        @DefaultValue("warning") EventLevel level,

        @DefaultValue("30d") @DurationMin(days = 1) @DurationMax(days = 366)
        Duration keep) {}

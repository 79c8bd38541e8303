package org.azuremail.outbox;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The time for which the outbox keeps emails.
 *
 * @param keep older emails are deleted once a day
 */
@Validated
@ConfigurationProperties("azuremail.outbox")
record OutboxProperties(
        @DefaultValue("30d") @DurationMin(millis = 1) Duration keep) {}

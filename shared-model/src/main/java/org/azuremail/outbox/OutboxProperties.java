package org.azuremail.outbox;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The time for which the outbox keeps emails.
 *
 * @param keep older emails are deleted, within the hour
 */
@ConfigurationProperties("azuremail.outbox")
record OutboxProperties(@DefaultValue("30d") Duration keep) {

    public OutboxProperties {
        Assert.isTrue(keep.compareTo(Duration.ZERO) > 0, "azuremail.outbox.keep must be longer than nothing");
    }
}

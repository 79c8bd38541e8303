package org.azuremail.operations;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Currency;
import java.util.stream.Stream;
import org.azuremail.work.service.Tuning;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.Assert;

/**
 * The settings of the operations pages. Prices differ by region, redundancy and kind of call; the defaults are those of the
 * Azure Email Service tutorial, December 2012.
 *
 * @param pricePerMillion what a million storage transactions costs
 * @param currency the currency of all prices, as ISO 4217 says
 * @param pricePerInstanceHour what an hour of one process's host costs
 * @param pricePerGigabyte what a gigabyte in the storage costs a month
 * @param pricePerThousandEmails what a thousand emails cost beyond the free ones
 * @param freeEmails how many emails a month cost nothing
 * @param drainWithin within what time waiting items should be done: how many workers are recommended follows from it
 */
@ConfigurationProperties("azuremail.operations")
public record OperationsProperties(
        @DefaultValue("0.10") BigDecimal pricePerMillion,
        @DefaultValue("USD") Currency currency,
        @DefaultValue("0.02") BigDecimal pricePerInstanceHour,
        @DefaultValue("0.0932") BigDecimal pricePerGigabyte,
        @DefaultValue("0") BigDecimal pricePerThousandEmails,
        @DefaultValue("25000") long freeEmails,
        @DefaultValue(Tuning.DRAIN_WITHIN) Duration drainWithin) {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofDays(7);

    public OperationsProperties {
        boolean negative = Stream.of(pricePerMillion, pricePerInstanceHour, pricePerGigabyte, pricePerThousandEmails)
                .anyMatch(price -> price.signum() < 0);
        Assert.isTrue(!negative && freeEmails >= 0, "azuremail.operations: a price or free-emails is negative");
        Assert.isTrue(
                drainWithin.compareTo(SHORTEST) >= 0 && drainWithin.compareTo(LONGEST) <= 0,
                "azuremail.operations.drain-within must be 1s to 7d, not " + drainWithin);
    }
}

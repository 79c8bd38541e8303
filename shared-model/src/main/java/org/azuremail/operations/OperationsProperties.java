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
 * The settings of the operations pages. Prices differ by region, redundancy and kind of call. The defaults are those of
 * the Azure Email Service tutorial of December 2012.
 *
 * @param pricePerMillion the price of a million storage transactions
 * @param currency the currency of all prices, as an ISO 4217 code
 * @param pricePerInstanceHour the price of an hour of one process's host
 * @param pricePerGigabyte the price of a gigabyte in the storage for a month
 * @param pricePerThousandEmails the price of a thousand emails beyond the free ones
 * @param freeEmails the number of free emails a month
 * @param drainWithin the time within which waiting items should be done, from which the recommended number of workers
 *     follows
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

    private static final Duration MIN_DURATION = Duration.ofSeconds(1);
    private static final Duration MAX_DURATION = Duration.ofDays(7);

    public OperationsProperties {
        boolean negative = Stream.of(pricePerMillion, pricePerInstanceHour, pricePerGigabyte, pricePerThousandEmails)
                .anyMatch(price -> price.signum() < 0);
        Assert.isTrue(!negative && freeEmails >= 0, "azuremail.operations: a price or free-emails is negative");
        Assert.isTrue(
                drainWithin.compareTo(MIN_DURATION) >= 0 && drainWithin.compareTo(MAX_DURATION) <= 0,
                "azuremail.operations.drain-within must be 1s to 7d, not " + drainWithin);
    }
}

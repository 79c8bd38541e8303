package org.azuremail.operations;

import jakarta.validation.constraints.PositiveOrZero;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Currency;
import org.azuremail.work.service.Tuning;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

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
@Validated
@ConfigurationProperties("azuremail.operations")
public record OperationsProperties(
        @DefaultValue("0.10") @PositiveOrZero BigDecimal pricePerMillion,
        @DefaultValue("USD") Currency currency,
        @DefaultValue("0.02") @PositiveOrZero BigDecimal pricePerInstanceHour,
        @DefaultValue("0.0932") @PositiveOrZero BigDecimal pricePerGigabyte,
        @DefaultValue("0") @PositiveOrZero BigDecimal pricePerThousandEmails,
        @DefaultValue("25000") @PositiveOrZero long freeEmails,

        @DefaultValue(Tuning.DRAIN_WITHIN) @DurationMin(seconds = 1) @DurationMax(days = 7)
        Duration drainWithin) {}

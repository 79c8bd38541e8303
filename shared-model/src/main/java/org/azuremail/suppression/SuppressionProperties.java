package org.azuremail.suppression;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The limits at which soft bounces suppress an address.
 *
 * @param softBounces the number of different bounced emails that suppress it
 */
@Validated
@ConfigurationProperties("azuremail.suppression")
record SuppressionProperties(
        @DefaultValue("3") @Min(1) @Max(20) int softBounces,
        @DefaultValue("30d") Duration within) {}

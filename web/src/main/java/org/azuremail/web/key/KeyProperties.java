package org.azuremail.web.key;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The defaults of API keys.
 *
 * @param requestsPerSecond the calls a second that a subscribe key may make, over all web processes
 */
@Validated
@ConfigurationProperties("azuremail.key")
record KeyProperties(
        @DefaultValue("100") @Min(1) @Max(ApiKey.Terms.MAX_REQUESTS_PER_SECOND)
        int requestsPerSecond) {}

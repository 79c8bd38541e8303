package org.azuremail.operations;

import java.math.BigDecimal;
import java.util.Currency;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the page Operations reckons with.
 *
 * @param pricePerMillion what a million storage transactions costs; prices differ by region, redundancy and kind of call
 * @param currency the currency of that price, as ISO 4217 says
 */
@ConfigurationProperties("azuremail.operations")
public record OperationsProperties(
        @DefaultValue("0.10") BigDecimal pricePerMillion,
        @DefaultValue("USD") Currency currency) {

    public OperationsProperties {
        if (pricePerMillion.signum() < 0) {
            throw new IllegalArgumentException("azuremail.operations.price-per-million is negative");
        }
    }
}

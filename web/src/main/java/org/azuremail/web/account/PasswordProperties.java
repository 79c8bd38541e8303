package org.azuremail.web.account;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of password hashing.
 *
 * @param strength cost of bcrypt as a power of two; 12 takes about a quarter of a second
 */
@Validated
@ConfigurationProperties("azuremail.password")
record PasswordProperties(
        @DefaultValue("12") @Min(4) @Max(16) int strength) {}

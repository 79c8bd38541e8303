package org.azuremail.subscription;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of subscriptions.
 *
 * @param confirmations how many confirmation mails one address of a list gets within the window, whoever asks
 * @param confirmationWindow the window of that limit
 */
@Validated
@ConfigurationProperties("azuremail.subscription")
public record SubscriptionProperties(
        @DefaultValue("5") @Min(1) @Max(Consent.MAX_DECLARATIONS - 1)
        int confirmations,

        @DefaultValue("24h") Duration confirmationWindow) {}

package org.azuremail.subscription.subscriber;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of subscriptions.
 *
 * @param confirmations the most confirmation emails to one address of a list within the window, regardless of who
 *     requests them
 * @param confirmationWindow the window of that limit
 * @param confirmationLink how long a confirmation link works after the last request; after that, its page offers a new
 *     one
 */
@Validated
@ConfigurationProperties("azuremail.subscription")
public record SubscriptionProperties(
        @DefaultValue("5") @Min(1) @Max(Consent.MAX_DECLARATIONS - 1)
        int confirmations,

        @DefaultValue("24h") Duration confirmationWindow,

        @DefaultValue("30d") @DurationMin(minutes = 1) @DurationMax(days = 366)
        Duration confirmationLink) {}

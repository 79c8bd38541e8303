package org.azuremail.transport.sendgrid;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import java.net.URI;
import org.azuremail.feedback.SendGridEventReader.EventSignature;
import org.azuremail.mail.TransportKind.SecretSetting;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The SendGrid account that sends.
 *
 * @param apiKey needs the permission "Mail Send" and no other
 * @param endpoint the address of the API: {@code https://api.eu.sendgrid.com} for accounts in the EU
 * @param batchSize the largest number of recipients in one request, all of whom become unknown when a process dies
 *     in it
 * @param eventVerification the verification key of SendGrid's event webhook; without it no events are accepted
 */
@Validated
@ConfigurationProperties("azuremail.mail.sendgrid")
public record SendGridProperties(
        @NotBlank(message = "must be set where SendGrid takes the mail") @SecretSetting @Nullable
        String apiKey,

        @DefaultValue("https://api.sendgrid.com") URI endpoint,
        @DefaultValue("250") @Min(1) @Max(1000) int batchSize,
        @Nullable String eventVerification) {

    public SendGridProperties {
        boolean http = "http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme());
        if (!http || endpoint.getHost() == null) {
            throw new IllegalArgumentException(
                    "azuremail.mail.sendgrid.endpoint must be like https://api.sendgrid.com, not " + endpoint);
        }
        if (eventVerification != null && !eventVerification.isBlank()) {
            new EventSignature(eventVerification);
        }
    }

    boolean encrypted() {
        return "https".equals(endpoint.getScheme());
    }

    String host() {
        return endpoint.getAuthority();
    }

    /** Returns a text that does not contain the key. */
    @Override
    public String toString() {
        return "SendGridProperties[endpoint=" + endpoint + ", batchSize=" + batchSize + "]";
    }
}

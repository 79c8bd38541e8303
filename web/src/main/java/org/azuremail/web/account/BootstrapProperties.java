package org.azuremail.web.account;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The first account and the first key of an unattended installation. They never change an existing account or key.
 *
 * @param adminEmail the address of the first account
 * @param adminPassword the password of the first account
 * @param apiKey a key with scope {@code admin}: at least 22 characters that cannot be guessed
 */
@ConfigurationProperties("azuremail.bootstrap")
public record BootstrapProperties(
        @Nullable String adminEmail,
        @Nullable String adminPassword,
        @Nullable String apiKey) {

    private static final int MIN_KEY = 22;

    public BootstrapProperties {
        if (apiKey != null && apiKey.isBlank()) {
            apiKey = null;
        }
        if (apiKey != null && apiKey.strip().length() < MIN_KEY) {
            throw new IllegalArgumentException(
                    "azuremail.bootstrap.api-key needs at least " + MIN_KEY + " random characters");
        }
    }

    @Override
    public String toString() {
        return "BootstrapProperties[adminEmail=" + adminEmail + "]";
    }
}

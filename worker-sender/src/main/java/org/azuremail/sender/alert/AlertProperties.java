package org.azuremail.sender.alert;

import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of the emails to admins.
 *
 * @param from their From address; if it is not set, the address of the first list
 */
@ConfigurationProperties("azuremail.alerts")
record AlertProperties(@Nullable String from) {

    public AlertProperties {
        if (from != null && EmailAddress.parse(from).isEmpty()) {
            throw new IllegalArgumentException("azuremail.alerts.from is not an email address: " + from);
        }
    }

    Optional<EmailAddress> address() {
        return Optional.ofNullable(from).flatMap(EmailAddress::parse);
    }
}

package org.azuremail.web.security;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The places from which the service may be administered.
 *
 * @param allowFrom the networks from which admin pages and keys are accepted, as {@code 192.0.2.0/24} or
 *     {@code 2001:db8::/32}, or single addresses; empty for all
 */
@ConfigurationProperties("azuremail.admin")
record AdminProperties(@DefaultValue List<String> allowFrom) {

    /** @throws IllegalArgumentException with a message for the operator that names the setting */
    AdminProperties {
        allowFrom = List.copyOf(allowFrom);
        AdminNetworks.of(allowFrom);
    }
}

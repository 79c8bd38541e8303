package org.azuremail.web.account;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param idle without using any page
 * @param longest in any case
 */
@ConfigurationProperties("azuremail.session")
record SessionProperties(
        @DefaultValue("12h") Duration idle,
        @DefaultValue("7d") Duration longest) {}

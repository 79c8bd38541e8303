package org.azuremail.web.account;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The lifetime of sessions.
 *
 * @param idle the longest time without using a page
 * @param longest the longest time in total
 */
@ConfigurationProperties("azuremail.session")
record SessionProperties(
        @DefaultValue("12h") Duration idle,
        @DefaultValue("7d") Duration longest) {}

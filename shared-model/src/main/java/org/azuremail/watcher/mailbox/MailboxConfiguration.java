package org.azuremail.watcher.mailbox;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.validation.annotation.Validated;

/**
 * The beans of mailbox watchers. Every process checks their settings, and processes with the scheduler role take their
 * turns.
 */
@Configuration(proxyBeanMethods = false)
@Import({BounceKind.class, ReplyKind.class, ReplyKind.Parts.class})
@EnableConfigurationProperties(MailboxConfiguration.MailboxProperties.class)
class MailboxConfiguration {

    @Bean
    MailboxConnector mailboxConnector() {
        return new MailboxConnector(Map.of());
    }

    @Bean
    IdleMailboxes idleMailboxes(MailboxProperties settings) {
        return new IdleMailboxes(settings.idleConnections());
    }

    /**
     * The settings by which a process reads mailboxes.
     *
     * @param idleConnections the number of connections that the process keeps open so that servers report new
     *     messages at once (IDLE); each needs a thread. Further mailboxes are only read at their intervals
     */
    @Validated
    @ConfigurationProperties("azuremail.watchers")
    record MailboxProperties(
            @DefaultValue("20") @Min(0) @Max(1_000) int idleConnections) {}
}

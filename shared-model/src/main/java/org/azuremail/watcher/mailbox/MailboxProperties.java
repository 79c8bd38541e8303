package org.azuremail.watcher.mailbox;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings by which a process reads mailboxes.
 *
 * @param idleConnections how many connections it keeps open to be told of new messages at once (IDLE); each needs a thread.
 *     Further mailboxes are only read at their intervals
 */
@Validated
@ConfigurationProperties("azuremail.watchers")
record MailboxProperties(
        @DefaultValue("20") @Min(0) @Max(1_000) int idleConnections) {}

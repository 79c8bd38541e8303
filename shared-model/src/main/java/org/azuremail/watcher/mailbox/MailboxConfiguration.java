package org.azuremail.watcher.mailbox;

import java.util.Map;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.delivery.testmail.ForwardedReplies;
import org.azuremail.feedback.BounceReports;
import org.azuremail.feedback.EmailFinder;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.feedback.UnsubscribeProperties;
import org.azuremail.list.ListStore;
import org.azuremail.sending.SecretBox;
import org.azuremail.subscription.Subscriptions;
import org.azuremail.work.queue.WorkQueues;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Watchers of mailboxes; every process checks their settings, and those with the scheduler's role take their turns. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(MailboxProperties.class)
class MailboxConfiguration {

    @Bean
    MailboxConnector mailboxConnector() {
        return new MailboxConnector(Map.of());
    }

    @Bean
    ToldMailboxes toldMailboxes(MailboxProperties settings) {
        return new ToldMailboxes(settings.idleConnections());
    }

    @Bean
    BounceKind bounceKind(MailboxConnector connector, ToldMailboxes told, SecretBox secrets, BounceReports reports) {
        return new BounceKind(connector, told, secrets, reports);
    }

    @Bean
    ReplyKind replyKind(
            MailboxConnector connector,
            ToldMailboxes told,
            SecretBox secrets,
            EmailFinder emails,
            UnsubscribeProperties addresses,
            FeedbackProperties bounces,
            Subscriptions subscriptions,
            ListStore lists,
            ForwardedReplies forwarded,
            WorkQueues work,
            AzureMailProperties process) {
        addresses.checkApartFrom(bounces);
        return new ReplyKind(
                connector,
                told,
                secrets,
                new ReplyKind.Parts(emails, addresses, subscriptions, lists, forwarded, work, process.publicUrl()));
    }
}

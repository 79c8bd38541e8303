package org.azuremail.sender;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.delivery.testmail.ForwardedReplies;
import org.azuremail.feedback.FeedbackProperties;
import org.azuremail.feedback.MailHandles;
import org.azuremail.feedback.UnsubscribeProperties;
import org.azuremail.journal.JournalConfiguration;
import org.azuremail.list.ListStore;
import org.azuremail.message.MessageBlobs;
import org.azuremail.route.ListRoutes;
import org.azuremail.route.Routes;
import org.azuremail.sender.alert.AlertConfiguration;
import org.azuremail.sender.confirmation.ConfirmationConfiguration;
import org.azuremail.template.Templates;
import org.azuremail.time.Time;
import org.azuremail.transport.Transports;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Worker B, in whatever process has its role. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SENDER)
@Import({
    AlertConfiguration.class,
    ConfirmationConfiguration.class,
    JournalConfiguration.class,
    Transports.class,
    LinkCheck.class,
    ListLimits.class,
    ListRoutes.class,
    LateAnswers.class,
    TestMailSender.class,
    SenderParts.class,
    RangeSender.class,
    RangeSenders.class
})
public class SenderConfiguration {

    @Bean
    LotMaker lotMaker(
            MessageBlobs blobs,
            ListStore lists,
            Templates templates,
            AzureMailProperties properties,
            MailHandles handles,
            FeedbackProperties feedback,
            UnsubscribeProperties leaving,
            ListLimits limits,
            Time time) {
        return new LotMaker(blobs, lists, templates, properties.publicUrl(), handles, feedback, leaving, limits, time);
    }

    @Bean
    ReplyForwarder replyForwarder(
            ListStore lists,
            Routes routes,
            ListRoutes first,
            ForwardedReplies forwarded,
            AzureMailProperties properties,
            Time time) {
        return new ReplyForwarder(lists, routes, first, forwarded, properties.publicUrl(), time);
    }

    @Bean
    Routes routes(Transports transports) {
        return new Routes(transports, transports.concurrency());
    }
}

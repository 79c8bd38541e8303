package org.azuremail.sender;

import java.util.List;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.delivery.DeliveryStore;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.OutcomeArchive;
import org.azuremail.delivery.PartsUnderWay;
import org.azuremail.delivery.RangeRewriter;
import org.azuremail.delivery.Reopening;
import org.azuremail.journal.Journal;
import org.azuremail.journal.JournalConfiguration;
import org.azuremail.limit.RateLimits;
import org.azuremail.list.ListStore;
import org.azuremail.mail.MailProperties;
import org.azuremail.message.MessageBlobs;
import org.azuremail.message.MessageStore;
import org.azuremail.route.Breakers;
import org.azuremail.route.ListRoutes;
import org.azuremail.route.Route;
import org.azuremail.route.Routes;
import org.azuremail.sender.confirmation.ConfirmationConfiguration;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.azuremail.transport.Transports;
import org.azuremail.work.lease.Holders;
import org.azuremail.work.queue.DeadLetters;
import org.azuremail.work.signal.Signals;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Worker B, in whatever process has its role. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SENDER)
@Import({
    ConfirmationConfiguration.class,
    JournalConfiguration.class,
    Transports.class,
    LinkCheck.class,
    ListRoutes.class,
    LateAnswers.class,
    TestMailSender.class
})
public class SenderConfiguration {

    @Bean
    LotMaker lotMaker(MessageBlobs blobs, ListStore lists, AzureMailProperties properties, Time time) {
        return new LotMaker(blobs, lists, properties.publicUrl(), time);
    }

    @Bean
    Routes routes(Transports transports, MailProperties mail, RateLimits limits, Breakers breakers) {
        List<Route> routes = mail.all().stream()
                .map(one -> new Route(
                        one.name(),
                        transports.of(one.name()),
                        limits.of(one.name()),
                        breakers.of(one.name()),
                        one.whenFull()))
                .toList();
        return new Routes(routes, mail.order());
    }

    @Bean
    RangeSender rangeSender(
            MessageStore messages,
            MessageControl control,
            DeliveryStore deliveries,
            OutcomeArchive archive,
            RangeRewriter rewriter,
            SubscriptionStore subscriptions,
            LotMaker mails,
            Routes routes,
            ListRoutes listRoutes,
            Journal journal,
            DeadLetters letters,
            Signals signals,
            Time time,
            Holders holders,
            ListStore lists,
            Reopening reopening) {
        SenderParts parts = new SenderParts(
                messages,
                control,
                deliveries,
                archive,
                rewriter,
                subscriptions,
                mails,
                routes,
                listRoutes,
                journal,
                new DeadMail(letters, time),
                new PartsUnderWay(signals),
                time,
                holders::next);
        return new RangeSender(parts, lists, reopening, routes.concurrency());
    }
}

package org.azuremail.sender;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.route.PreferredTransports;
import org.azuremail.route.Routes;
import org.azuremail.transport.Transports;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans of worker B, for every process that has the sender role. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SENDER)
@Import({
    Transports.class,
    ConfirmationSender.class,
    ConfirmationReminderSender.class,
    LinkCheck.class,
    ListLimits.class,
    PlacePacer.class,
    PreferredTransports.class,
    JournalRecovery.class,
    LotBuilder.class,
    ReplyForwarder.class,
    TestMailSender.class,
    SenderContext.class,
    RangeSender.class
})
class SenderConfiguration {

    @Bean
    Routes routes(Transports transports) {
        return transports.routes();
    }
}

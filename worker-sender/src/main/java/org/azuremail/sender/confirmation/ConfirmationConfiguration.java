package org.azuremail.sender.confirmation;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.route.ListRoutes;
import org.azuremail.route.Routes;
import org.azuremail.subscription.confirmation.ConfirmationClaims;
import org.azuremail.subscription.join.SignUpPriority;
import org.azuremail.suppression.Suppressions;
import org.azuremail.template.Templates;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Confirmations have a queue and workers of their own, so that no amount of list mail delays them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SENDER)
public class ConfirmationConfiguration {

    /** Most of a confirmation's time is waiting: for the provider's answer, and five times for the storage. */
    private static final int FEWEST_IN_FLIGHT = 4;

    private static final int MOST_IN_FLIGHT = 16;

    @Bean
    ConfirmationSender confirmationSender(
            ConfirmationClaims claims,
            SignUpPriority signUps,
            Suppressions suppressions,
            Routes routes,
            ListRoutes listRoutes,
            Templates templates,
            AzureMailProperties settings,
            MailClasses classes,
            Time time) {
        return new ConfirmationSender(
                claims,
                signUps,
                suppressions,
                routes,
                listRoutes,
                templates,
                settings.publicUrl(),
                inFlight(routes),
                classes,
                time);
    }

    /** The number of confirmations that one process hands over at the same time: twice as many as lots, for they are small. */
    static int inFlight(Routes routes) {
        return Math.max(FEWEST_IN_FLIGHT, Math.min(MOST_IN_FLIGHT, 2 * routes.concurrency()));
    }
}

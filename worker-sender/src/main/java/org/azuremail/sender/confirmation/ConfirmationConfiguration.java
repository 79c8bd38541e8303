package org.azuremail.sender.confirmation;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.route.ListRoutes;
import org.azuremail.route.Routes;
import org.azuremail.subscription.ConfirmationClaims;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Confirmations have a queue and workers of their own, so that no amount of list mail delays them. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SENDER)
public class ConfirmationConfiguration {

    /** Confirmations that one process hands over at the same time. */
    private static final int IN_FLIGHT = 4;

    @Bean
    ConfirmationSender confirmationSender(
            ConfirmationClaims claims, Routes routes, ListRoutes listRoutes, AzureMailProperties settings, Time time) {
        return new ConfirmationSender(claims, routes, listRoutes, settings.publicUrl(), IN_FLIGHT, time);
    }
}

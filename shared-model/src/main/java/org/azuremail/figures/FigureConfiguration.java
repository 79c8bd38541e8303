package org.azuremail.figures;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.delivery.archive.FiguresWanted;
import org.azuremail.delivery.range.DeliveryStore;
import org.azuremail.message.MessageStore;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Figures of messages; the scheduler counts them. */
@Configuration(proxyBeanMethods = false)
@Import(FigureStore.class)
class FigureConfiguration {

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    FigureCount figureCount(
            FiguresWanted wanted, MessageStore messages, DeliveryStore deliveries, FigureStore figures, Time time) {
        return new FigureCount(wanted, messages, deliveries, figures, time);
    }
}

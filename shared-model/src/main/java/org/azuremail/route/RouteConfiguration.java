package org.azuremail.route;

import org.azuremail.sending.TransportDirectory;
import org.azuremail.sending.TransportHistory;
import org.azuremail.sending.TransportHistory.What;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans by which every process knows the transports. */
@Configuration(proxyBeanMethods = false)
@Import(EmailCounts.class)
public class RouteConfiguration {

    @Bean
    Breakers breakers(
            Storage storage, Time time, TransportDirectory transports, TransportHistory history, Signals signals) {
        return new Breakers(storage, time, transports::names, (name, state) -> {
            note(history, name, state);
            signals.needAttention();
        });
    }

    private static void note(TransportHistory history, String transport, BreakerState state) {
        history.note(transport, state.closed() ? What.WORKS : What.FAILED, "", state.reason());
    }
}

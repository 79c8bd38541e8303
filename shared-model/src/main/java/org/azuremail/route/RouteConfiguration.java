package org.azuremail.route;

import org.azuremail.mail.MailProperties;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What every process knows of the transports. */
@Configuration(proxyBeanMethods = false)
public class RouteConfiguration {

    @Bean
    Breakers breakers(Storage storage, Time time, MailProperties mail) {
        return new Breakers(storage, time, mail.names());
    }
}

package org.azuremail.limit;

import java.util.LinkedHashMap;
import java.util.Map;
import org.azuremail.mail.MailProperties;
import org.azuremail.mail.TransportKinds;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The limits of the providers that take the mail. */
@Configuration(proxyBeanMethods = false)
public class LimitConfiguration {

    @Bean
    RateLimits rateLimits(Storage storage, Time time, MailProperties mail, TransportKinds kinds) {
        Map<String, Limits> starting = new LinkedHashMap<>();
        for (MailProperties.Configured one : mail.all()) {
            starting.put(one.name(), new Limits(kinds.startingRate(one), one.perMinute(), one.perHour(), one.perDay()));
        }
        return new RateLimits(storage, time, starting);
    }
}

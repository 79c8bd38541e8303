package org.azuremail.limit;

import org.azuremail.mail.TransportKinds;
import org.azuremail.sending.TransportDirectory;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The limits of the providers that take the mail. */
@Configuration(proxyBeanMethods = false)
public class LimitConfiguration {

    @Bean
    RateLimits rateLimits(Storage storage, Time time, TransportDirectory transports, TransportKinds kinds) {
        return new RateLimits(storage, time, name -> transports
                .lately()
                .find(name)
                .map(one -> new Limits(kinds.startingRate(one), one.perMinute(), one.perHour(), one.perDay())));
    }
}

package org.azuremail.limit;

import java.util.Locale;
import org.azuremail.mail.MailProperties;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The limits of the provider that takes the mail. */
@Configuration(proxyBeanMethods = false)
public class LimitConfiguration {

    @Bean
    RateLimit mailRate(Storage storage, Time time, MailProperties mail) {
        String provider = mail.transport().name().toLowerCase(Locale.ROOT);
        Limits starting = new Limits(mail.startingRate(), mail.ratePerMinute(), mail.ratePerHour(), mail.ratePerDay());
        return new RateLimit(storage, time, provider, starting);
    }
}

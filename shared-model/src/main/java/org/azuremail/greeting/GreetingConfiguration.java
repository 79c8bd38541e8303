package org.azuremail.greeting;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.list.ListStore;
import org.azuremail.message.Messages;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.azuremail.work.signal.Signals;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The greetings. Pages change them, and schedulers send them. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BirthdayProperties.class)
class GreetingConfiguration {

    @Bean
    Greetings greetings(Storage storage, Signals signals, AzureMailProperties settings, Time time) {
        return new Greetings(storage.tables(), signals, settings.zone(), time);
    }

    @Bean
    GreetingMarks greetingMarks(
            Storage storage,
            SubscriptionStore subscribers,
            AzureMailProperties settings,
            BirthdayProperties birthdays) {
        return new GreetingMarks(storage.tables(), subscribers, settings.zone(), birthdays.leapDay());
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService greetingService(Greetings greetings, Messages messages, ListStore lists) {
        return greetings.service(messages, lists);
    }
}

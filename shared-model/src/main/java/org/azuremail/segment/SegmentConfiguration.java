package org.azuremail.segment;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.time.Time;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Segments; every role needs them. */
@Configuration(proxyBeanMethods = false)
@Import({Segments.class, PeopleFilters.class, PeopleJobParameters.class, SegmentCounts.class})
class SegmentConfiguration {

    @Bean
    SegmentPeople segmentPeople(
            SubscriptionStore subscribers, PeopleFilters filters, AzureMailProperties settings, Time time) {
        return new SegmentPeople(subscribers, filters, settings.zone(), time);
    }
}

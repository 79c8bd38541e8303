package org.azuremail.subscription.index;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The index of subscribers. Every role changes it; the scheduler updates it. */
@Configuration(proxyBeanMethods = false)
@Import({
    IndexStore.class,
    SubscriberConverter.class,
    MisfitCounter.class,
    IndexJob.class,
    FieldIndex.class,
    FieldIndexService.class
})
class FieldIndexConfiguration {}

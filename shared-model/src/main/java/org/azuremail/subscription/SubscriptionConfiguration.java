package org.azuremail.subscription;

import org.azuremail.id.IdSource;
import org.azuremail.list.ListStore;
import org.azuremail.list.ListUse;
import org.azuremail.storage.Storage;
import org.azuremail.storage.TableStore;
import org.azuremail.subscription.confirmation.ConfirmationClaims;
import org.azuremail.subscription.confirmation.ConfirmationItem;
import org.azuremail.subscription.join.SignUpPriority;
import org.azuremail.subscription.store.ChoreIndex;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.DepartureListener;
import org.azuremail.subscription.subscriber.SubscriptionProperties;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Subscribers; needs the storage ports and {@link ListStore}. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SubscriptionProperties.class)
public class SubscriptionConfiguration {

    @Bean
    ItemType<ConfirmationItem> confirmationItems() {
        return ConfirmationItem.TYPE;
    }

    @Bean
    SubscriptionFeature subscriptionFeature(
            ListStore lists,
            Storage storage,
            WorkQueues queues,
            ObjectProvider<DepartureListener> departures,
            ObjectProvider<ListUse> use,
            IdSource ids,
            Time time,
            SubscriptionProperties properties) {
        TableStore tables = storage.tables();
        tables.createTable(ChoreIndex.TABLE);
        SubscriptionFeature feature = new SubscriptionFeature(
                lists,
                tables,
                queues,
                departures::orderedStream,
                ListUse.of(use::orderedStream),
                ids,
                time,
                properties);
        feature.makeKey();
        return feature;
    }

    @Bean
    SubscriptionStore subscriptionStore(SubscriptionFeature feature) {
        return feature.store();
    }

    @Bean
    Subscriptions subscriptions(SubscriptionFeature feature) {
        return feature.subscriptions();
    }

    @Bean
    Confirmations confirmations(SubscriptionFeature feature) {
        return feature.confirmations();
    }

    @Bean
    ConfirmationClaims confirmationClaims(SubscriptionFeature feature) {
        return feature.claims();
    }

    @Bean
    SignUpPriority arrivals(SubscriptionFeature feature) {
        return feature.arrivals();
    }

    @Bean
    SubscriberPages subscriberPages(SubscriptionFeature feature) {
        return feature.pages();
    }

    @Bean
    SampleLists sampleLists(SubscriptionFeature feature) {
        return feature.samples();
    }
}

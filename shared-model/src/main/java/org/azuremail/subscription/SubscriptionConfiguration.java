package org.azuremail.subscription;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Daemons;
import org.azuremail.app.Role;
import org.azuremail.field.FieldStore;
import org.azuremail.list.ListStore;
import org.azuremail.storage.TableStore;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.store.PersonDirectory;
import org.azuremail.subscription.store.ServiceChoreIndex;
import org.azuremail.subscription.store.ShardChoreIndex;
import org.azuremail.subscription.store.ShardWriter;
import org.azuremail.subscription.store.SubscriberPages;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.subscription.subscriber.SubscriptionProperties;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.service.ScheduledService;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans for subscribers; they need the storage ports and {@link ListStore}. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SubscriptionProperties.class)
@Import({
    FieldStore.class,
    ShardChoreIndex.class,
    ServiceChoreIndex.class,
    ShardWriter.class,
    SubscriptionStore.class,
    SubscriberPages.class,
    ConfirmationSeals.class,
    ConfirmationClaims.class,
    MoveSteps.class,
    Moves.class,
    Erasures.class,
    MoveAwareWriter.class,
    AdminEdits.class,
    OptInFlow.class,
    Subscriptions.class,
    SubscriberChores.class,
    SampleLists.class,
    People.class,
    ListDeletion.class
})
class SubscriptionConfiguration {

    /** The delay after which other processes find a new person. */
    private static final int DIRECTORY_WAITS_MILLIS = 250;

    @Bean
    ItemType<ConfirmationItem> confirmationItems() {
        return ConfirmationItem.TYPE;
    }

    @Bean
    SignUpPriority signUpPriority(Time time) {
        return new SignUpPriority(Runtime.getRuntime().availableProcessors(), time);
    }

    /** Creates the tables and the key of the links, which the first backup already needs. */
    @Bean
    SmartInitializingSingleton subscriptionRows(TableStore tables, ConfirmationSeals seals) {
        return () -> {
            tables.createTable(ShardChoreIndex.TABLE);
            tables.createTable(PersonDirectory.TABLE);
            seals.makeKey();
        };
    }

    @Bean
    PersonDirectory personDirectory(TableStore tables) {
        return new PersonDirectory(
                tables,
                CompletableFuture.delayedExecutor(
                        DIRECTORY_WAITS_MILLIS, TimeUnit.MILLISECONDS, thread("person-directory")));
    }

    @Bean
    ConfirmationQueue confirmationQueue(WorkQueues queues) {
        return new ConfirmationQueue(queues, thread("confirmation-queue"));
    }

    /** Returns an executor whose thread ends when it has nothing to do. */
    private static Executor thread(String name) {
        return new ThreadPoolExecutor(0, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named(name));
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService directorySweep(ListStore lists, PersonDirectory directory) {
        return directory.sweep(lists);
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService listDeletionService(ListDeletion deletion) {
        return deletion.service();
    }

    @Bean
    Growth growth(
            ListStore lists,
            SubscriptionStore subscribers,
            TableStore tables,
            AzureMailProperties settings,
            Time time) {
        return new Growth(lists, subscribers, tables, settings.zone(), time);
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService growthService(Growth growth) {
        return growth.service();
    }
}

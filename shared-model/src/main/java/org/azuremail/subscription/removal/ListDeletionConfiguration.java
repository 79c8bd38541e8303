package org.azuremail.subscription.removal;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.list.ListStore;
import org.azuremail.list.ListUse;
import org.azuremail.storage.Storage;
import org.azuremail.subscription.Confirmations;
import org.azuremail.time.Time;
import org.azuremail.work.run.ScheduledService;
import org.azuremail.work.signal.Signals;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Deleting lists: begun by every role, gone on with by the scheduler's. */
@Configuration(proxyBeanMethods = false)
public class ListDeletionConfiguration {

    @Bean
    ListDeletion listDeletion(
            ListStore lists,
            Storage storage,
            Confirmations chores,
            ObjectProvider<ListUse> use,
            Signals signals,
            Time time) {
        return new ListDeletion(lists, storage.tables(), chores, ListUse.of(use::orderedStream), signals, time);
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService listDeletionService(ListDeletion deletion) {
        return deletion.service();
    }
}

package org.azuremail.report;

import org.azuremail.app.AzureMailProperties;
import org.azuremail.blobset.SetJob;
import org.azuremail.field.FieldStore;
import org.azuremail.list.ListStore;
import org.azuremail.report.ConfirmationReminders.ConfirmationReminderItem;
import org.azuremail.report.PeopleJob.PeopleWalk;
import org.azuremail.segment.PeopleFilters;
import org.azuremail.storage.TableStore;
import org.azuremail.subscription.store.SubscriptionStore;
import org.azuremail.work.queue.ItemType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The jobs about people. Every role can start them; the scheduler runs them. */
@Configuration(proxyBeanMethods = false)
@Import({PeopleReports.class, ConfirmationReminders.class, StatisticsJob.class, ConfirmationReminderJob.class})
class ReportConfiguration {

    @Bean
    PeopleWalk peopleWalk(
            ListStore lists, SubscriptionStore subscribers, PeopleFilters filters, AzureMailProperties settings) {
        return new PeopleWalk(lists, subscribers, filters, settings.zone(), TableStore.MAX_PAGE);
    }

    @Bean
    ItemType<ConfirmationReminderItem> askAgainItems() {
        return ConfirmationReminderItem.TYPE;
    }

    @Bean
    SetJob<?, ?> exportJob(PeopleWalk walk, FieldStore fields) {
        return new ExportJob(walk, fields, ExportJob.PART_BYTES);
    }
}

package org.azuremail.history;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.id.IdSource;
import org.azuremail.route.EmailCounts;
import org.azuremail.storage.QueueStore;
import org.azuremail.time.Time;
import org.azuremail.work.instance.Instances;
import org.azuremail.work.queue.WorkQueues;
import org.azuremail.work.run.Workload;
import org.azuremail.work.service.ScheduledService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The history of activity: every process writes it, and schedulers delete old rows. */
@Configuration(proxyBeanMethods = false)
@Import(ActivityHistory.class)
class HistoryConfiguration {

    @Bean
    HistoryRecorder historyRecorder(
            ActivityHistory history,
            Workload workload,
            EmailCounts emails,
            Instances instances,
            QueueStore queues,
            WorkQueues work,
            IdSource ids,
            Time time) {
        return new HistoryRecorder(
                history,
                () -> HistoryRecorder.totals(emails.accepted(), emails.refused(), workload.snapshot()),
                instances,
                queue -> work.partitions().toRead(queue).stream()
                        .mapToLong(queues::approximateCount)
                        .sum(),
                ids.token(),
                time);
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService historySweep(ActivityHistory history) {
        return ScheduledService.weekly("history-sweep", history::removeOld);
    }
}
